import Testing

@testable import Training

@Suite struct MergeBudgetTests {
  /// Plays up to each merge, and returns the share of the time that merges of these lengths took, and the intervals.
  private func play(_ budget: inout MergeBudget, merges: [Double]) -> (
    share: Double, intervals: [Double]
  ) {
    let intervals = merges.map { seconds in
      let interval = budget.secondsToMerge
      budget.count(playing: interval, merging: seconds)
      return interval
    }
    let (playing, merging) = (intervals.reduce(0, +), merges.reduce(0, +))
    return (merging / (playing + merging), intervals)
  }

  @Test func intervalsGrowUntilTheFirstMergesArePaidFor() {
    var budget = MergeBudget(share: 0.04)
    let (share, intervals) = play(&budget, merges: [1, 1.5, 1.5, 1.5, 1.5, 1.5])
    #expect(intervals.prefix(4) == [1, 4, 16, 64])
    #expect(abs(share - 0.04) < 1e-9)
    // 1.5 s of merging pay for 36 s of play.
    #expect(abs(budget.secondsToMerge - 36) < 1e-9)
  }

  @Test func longRunsSpendTheShare() {
    var budget = MergeBudget(share: 0.1)
    let (share, _) = play(&budget, merges: [Double](repeating: 0.5, count: 1000))
    #expect(0.0999 < share && share < 0.1001)
  }

  @Test func shortMergesComeAtTheLeastInterval() {
    var budget = MergeBudget(share: 0.04)
    let (_, intervals) = play(&budget, merges: [Double](repeating: 0.001, count: 10))
    #expect(intervals.allSatisfy { $0 == MergeBudget.leastSeconds })
  }

  @Test func aMergeThatHadToWaitPutsOffTheNextOnesForMinutesOnly() {
    var budget = MergeBudget(share: 0.04)
    _ = play(&budget, merges: [1, 1.5, 1.5, 1.5, 1.5, 1.5, 36_000])
    let (_, intervals) = play(&budget, merges: [Double](repeating: 1.5, count: 10))
    #expect(intervals[0] <= 4 * 36)
    // 24 s of play for each second that counts, up to 36 s, and the ten intervals of shorter merges.
    let total: Double = intervals.reduce(0, +)
    #expect(total < 1_261)
    #expect(abs(budget.secondsToMerge - 36) < 1e-9)
  }
}
