import Basics
import Game2048
import Synchronization
import TestSupport
import Testing

@testable import Learning
@testable import NTupleNetwork
@testable import Training

/// A copy of a network with its sums of temporal coherence, as a rank has one.
private struct Copy {
  let network: NTupleNetwork
  let accumulators: Accumulators
  let merger: TableMerger

  init(_ shape: NetworkShape, threads: Int = 1) {
    network = NTupleNetwork(shape)
    for entry in 0..<min(300, network.weights.count) { network.weights[entry] = 100 }
    accumulators = Accumulators(shape, for: [.tc])
    merger = TableMerger(network, accumulators, threads: threads)
  }

  var errors: SharedWeights { accumulators[TemporalCoherence.errorName] }
  var magnitudes: SharedWeights { accumulators[TemporalCoherence.magnitudeName] }

  /// Changes an entry as an update does.
  func change(_ entry: Int, by change: Float, error: Float, magnitude: Float) {
    network.weights[entry] += change
    errors[entry] += error
    magnitudes[entry] += magnitude
    unsafe BlockMarks(merger.network.marks!).mark(entry)
  }

  /// The content of all tables at an entry.
  func content(_ entry: Int) -> [Float] {
    [network.weights[entry], errors[entry], magnitudes[entry]]
  }

  var tables: [[UInt32]] {
    [network.weights, errors, magnitudes].map(\.bits)
  }
}

/// Changes copies of a network on some ranks and merges them; returns the content of an entry, which is the
/// same on all ranks.
private func merged(
  _ patterns: [String] = ["012"], stages: StageRule = .single, ranks: Int = 3, entry: Int,
  _ change: @Sendable (_ rank: Int, _ copy: Copy) -> Void
) throws -> [Float] {
  let shape = NetworkShape(patterns: try patterns.map { try Pattern($0) }, stages: stages)
  let results = Mutex<[Int: ([[UInt32]], [Float])]>([:])
  ThreadCommunicator.run(ranks: ranks) { ranks in
    let copy = Copy(shape, threads: 2)
    change(ranks.rank, copy)
    let bytes = copy.merger.merge(with: ranks)
    #expect(bytes > 0)
    // Nothing has changed since.
    #expect(copy.merger.merge(with: ranks) == 0)
    results.withLock { $0[ranks.rank] = (copy.tables, copy.content(entry)) }
  }
  let all = results.withLock(\.self)
  for rank in 1..<ranks { #expect(all[rank]!.0 == all[0]!.0, "rank \(rank)") }
  return all[0]!.1
}

/// Changes copies of a network on three ranks, changes them again while they exchange the first changes, and merges
/// again. Returns the contents of an entry on each rank after the first merge, and that on all after the second.
private func mergedTwice(
  stages: StageRule = .single, entry: Int,
  _ change: @Sendable (_ rank: Int, _ copy: Copy) -> Void,
  during: @Sendable (_ rank: Int, _ copy: Copy) -> Void
) throws -> (first: [[Float]], second: [Float]) {
  let shape = NetworkShape(patterns: [try Pattern("012")], stages: stages)
  let results = Mutex<[Int: (first: [Float], tables: [[UInt32]], second: [Float])]>([:])
  ThreadCommunicator.run(ranks: 3) { ranks in
    let copy = Copy(shape)
    change(ranks.rank, copy)
    let taken = copy.merger.takeChanges()
    during(ranks.rank, copy)
    let merge = copy.merger.exchange(taken, with: ranks)
    #expect(merge.bytes > 0)
    copy.merger.adopt(merge)
    let first = copy.content(entry)
    #expect(copy.merger.merge(with: ranks) > 0)
    #expect(copy.merger.merge(with: ranks) == 0)
    results.withLock { $0[ranks.rank] = (first, copy.tables, copy.content(entry)) }
  }
  let all = results.withLock(\.self)
  for rank in 1..<3 { #expect(all[rank]!.tables == all[0]!.tables, "rank \(rank)") }
  return ((0..<3).map { all[$0]!.first }, all[0]!.second)
}

private func settings() -> TrainingConfiguration {
  var settings = TrainingConfiguration()
  settings.patterns = ["0123", "4567", "0145", "1256"]
  settings.episodes = 100
  settings.method = StepSchedule(constant: .tc)
  settings.returns = .lambda
  settings.batchSize = 32
  settings.inheritEveryEpisodes = 20
  settings.starts = StepSchedule(constant: .restart)
  settings.averagingEveryEpisodes = 30
  settings.threads = 1
  settings.reportEveryEpisodes = 20
  settings.mergeEveryMoves = 3_000
  settings.mergeTimeShare = 0
  return settings
}

/// The team of a rank, with what it works on.
private struct RankTeam {
  let network: NTupleNetwork
  let accumulators: Accumulators
  let ledger = EpisodeLedger()
  let team: AsynchronousTeam

  init(_ settings: TrainingConfiguration, _ ranks: any Communicator) throws {
    let shape = try settings.networkShape()
    network = NTupleNetwork(shape)
    accumulators = Accumulators(shape, for: [.tc])
    team = AsynchronousTeam(
      network: network, accumulators: accumulators, configuration: settings, ledger: ledger,
      state: nil, ranks: ranks)
  }

  var plan: EpisodePlan {
    EpisodePlan(
      rule: TemporalCoherence(learningRate: 1, accumulators: accumulators), start: .opening)
  }

  /// The bits of all tables, and the counts of the ledger.
  var outcome: (tables: [[UInt32]], episodes: Int, moves: Int) {
    let tables = [network.weights] + accumulators.tables.sorted { $0.key < $1.key }.map(\.value)
    return (tables.map(\.bits), ledger.snapshot.episodes, ledger.snapshot.moves)
  }
}

@Suite struct MergingTests {
  /// Rank 0 changes a weight of 100 by 3 with an error of 1, and rank 1 by 9 with errors of 2.
  private static func change(_ rank: Int, _ copy: Copy) {
    if rank == 0 { copy.change(70, by: 3, error: 1, magnitude: 1) }
    if rank == 1 { copy.change(70, by: 9, error: -2, magnitude: 2) }
  }

  @Test func errorsThatCancelOutAreAveraged() throws {
    let content = try merged(entry: 70) { rank, copy in
      if rank == 0 { copy.change(70, by: 3, error: 2, magnitude: 2) }
      if rank == 1 { copy.change(70, by: 9, error: -2, magnitude: 2) }
    }
    #expect(content == [106, 0, 4])
  }

  @Test func anUnlearnedWeightStartsFromTheStageBefore() throws {
    let stages = try #require(StageRule(checking: [4]))
    let entry = NetworkShape(patterns: [try Pattern("012")], stages: stages).stageStride + 70
    let content = try merged(stages: stages, entry: entry) { rank, copy in
      // The update of an unlearned weight starts from the promoted one. Its base changes, too.
      if rank < 2 { copy.change(entry, by: 100 + Float(rank + 1), error: 1, magnitude: 1) }
      if rank == 2 { copy.change(70, by: 50, error: 1, magnitude: 1) }
    }
    #expect(content == [103, 2, 2])
  }

  @Test func errorsThatPartlyAgreeAddUpInPart() throws {
    let content = try merged(entry: 70, MergingTests.change)
    // κ = 1/3 and n = 9/5.
    #expect(abs(content[0] - (107 + 7.0 / 9 * 4 / 5)) < 1e-4)
    #expect(content[1...] == [-1, 3])
  }

  @Test func errorsThatAgreeAddUp() throws {
    let content = try merged(entry: 70) { _, copy in
      copy.change(70, by: 3, error: 2, magnitude: 2)
    }
    #expect(content == [109, 6, 6])
  }

  @Test func theFactorOfManyRanksIsBounded() throws {
    let content = try merged(ranks: 6, entry: 70) { _, copy in
      copy.change(70, by: 3, error: 2, magnitude: 2)
    }
    #expect(content == [112, 12, 12])
  }

  @Test func whatARankLearnsDuringAMergeIsAddedAndMergedNext() throws {
    let (first, second) = try mergedTwice(entry: 70, MergingTests.change) {
      rank, copy in
      if rank == 0 { copy.change(70, by: 5, error: 4, magnitude: 4) }
      if rank == 2 { copy.change(70, by: -2, error: -1, magnitude: 1) }
      // A neighbour that no rank has changed before.
      if rank == 1 { copy.change(71, by: 1, error: 1, magnitude: 1) }
    }
    // κ = 1/3 and n = 9/5.
    let merged: Float = 107 + 7.0 / 9 * 4 / 5
    let expected: [[Float]] = [[merged + 5, 3, 7], [merged, -1, 3], [merged - 2, -2, 4]]
    for (first, expected) in zip(first, expected) {
      #expect(abs(first[0] - expected[0]) < 1e-4 && first[1...] == expected[1...])
    }
    // The mean of the changes is (4 · 5 - 1 · 2) / 5, κ = 3/5 and n = 25/17.
    #expect(abs(second[0] - (merged + 3.6 * (1 + 0.36 * 8 / 17))) < 1e-4)
    #expect(second[1...] == [2, 8])
  }

  @Test func aWeightThatARankHasNotTakenKeepsWhatItLearnsDuringAMerge() throws {
    let (first, second) = try mergedTwice(entry: 71, MergingTests.change) {
      rank, copy in if rank == 1 { copy.change(71, by: 1, error: 1, magnitude: 1) }
    }
    #expect(first == [[100, 0, 0], [101, 1, 1], [100, 0, 0]] && second == [101, 1, 1])
  }

  @Test func aWeightThatIsLearnedFirstDuringAMergeTakesTheMergedOne() throws {
    let stages = try #require(StageRule(checking: [4]))
    let entry = NetworkShape(patterns: [try Pattern("012")], stages: stages).stageStride + 70
    let (first, second) = try mergedTwice(stages: stages, entry: entry) {
      rank, copy in
      if rank == 0 { copy.change(entry, by: 103, error: 1, magnitude: 1) }
    } during: { rank, copy in
      if rank == 1 { copy.change(entry, by: 107, error: 2, magnitude: 2) }
    }
    #expect(first == [[103, 1, 1], [103, 3, 3], [103, 1, 1]] && second == [103, 3, 3])
  }

  @Test func promotedWeightsMoveWithWhatTheyStartedFrom() throws {
    let stages = try #require(StageRule(checking: [4]))
    let entry = NetworkShape(patterns: [try Pattern("012")], stages: stages).stageStride + 70
    let (first, second) = try mergedTwice(stages: stages, entry: entry) { rank, copy in
      if rank == 2 { copy.change(70, by: 50, error: 1, magnitude: 1) }
    } during: { rank, copy in
      // Two ranks learn 1 and 2 more than the promoted 100, which the merge turns into 150.
      if rank < 2 { copy.change(entry, by: 101 + Float(rank), error: 1, magnitude: 1) }
    }
    #expect(first == [[151, 1, 1], [152, 1, 1], [0, 0, 0]] && second == [153, 2, 2])
  }

  @Test func theBaseInheritsTheSameOnAllRanks() throws {
    let learned: Float = 20
    let shape = NetworkShape(patterns: [try Pattern("012")])
    let layout = IndexLayout(shape.patterns[0])
    // The second entry inherits from the first, and the fourth from the third.
    let entries = [[8, 7, 1], [9, 8, 1], [11, 3, 11], [12, 3, 12]].map(layout.memoryIndex)
    let results = Mutex<[Int: ([Float], [[UInt32]], Float)]>([:])
    ThreadCommunicator.run(ranks: 2) { ranks in
      let copy = Copy(shape)
      for entry in [entries[0], entries[2]] {
        copy.network.weights[entry] = 0
        copy.change(entry, by: 10, error: 1, magnitude: 1)
      }
      let taken = copy.merger.takeChanges()
      if ranks.rank == 0 { copy.change(entries[0], by: 3, error: 1, magnitude: 1) }
      copy.change(entries[1], by: 7, error: 1, magnitude: 1)
      copy.merger.adopt(copy.merger.exchange(taken, with: ranks))
      copy.merger.inheritWeights()
      let inherited = entries.map { copy.network.weights[$0] }
      #expect(copy.merger.merge(with: ranks) > 0)
      results.withLock {
        $0[ranks.rank] = (inherited, copy.tables, copy.network.weights[entries[1]])
      }
    }
    let all = results.withLock(\.self)
    #expect(all[0]!.1 == all[1]!.1)
    #expect(all[0]!.0 == [learned + 3, learned + 7, learned, learned])
    #expect(all[1]!.0 == [learned, learned + 7, learned, learned])
    // The second entry is what it has inherited and what both ranks have learned on top of it.
    #expect(all[0]!.2 == 34)
  }

  @Test func aListKeepsEveryBit() {
    var entries = TableEntries(tables: 2)
    #expect(TableEntries(entries.bytes, tables: 2, in: 0..<1) == entries)
    let values: [Float] = [1.5, -0.0, .infinity, -.leastNonzeroMagnitude, 7, 8]
    unsafe values.withUnsafeBufferPointer { values in
      unsafe entries.append(block: 3, mask: 1 << 15 | 1, values: values.baseAddress!)
      unsafe entries.append(block: 1 << 31, mask: 4, values: values.baseAddress! + 4)
    }
    let read = TableEntries(entries.bytes, tables: 2, in: 3..<(1 << 31) + 1)
    #expect(read.blocks == [3, 1 << 31] && read.masks == [1 << 15 | 1, 4])
    #expect(read.values.map(\.bitPattern) == values.map(\.bitPattern))
  }

  @Test func allRanksHaveTheSameTablesAfterAMerge() throws {
    let settings = settings()
    // The outcome of each rank, twice.
    let results = Mutex<[[Int: ([[UInt32]], Int, Int)]]>([])
    for _ in 0..<2 {
      let run = Mutex<[Int: ([[UInt32]], Int, Int)]>([:])
      ThreadCommunicator.run(ranks: 3) { ranks in
        let rank = try! RankTeam(settings, ranks)
        let (team, plan) = (rank.team, rank.plan)
        for _ in 0..<3 {
          team.play(until: 50, deadline: nil, moveLimit: .max) { _ in plan }
          team.inheritWeights()
        }
        #expect(team.readings.count == 3 && team.readings.bytes > 0)
        run.withLock { $0[ranks.rank] = rank.outcome }
      }
      results.withLock { $0.append(run.withLock(\.self)) }
    }
    let runs = results.withLock(\.self)
    let (tables, episodes, moves) = runs[0][0]!
    #expect(episodes > 20 && moves > 3_000)
    for run in runs {
      for rank in 0..<3 { #expect(run[rank]! == (tables, episodes, moves), "rank \(rank)") }
    }
  }

  @Test func ranksThatPlayDuringMergesCountEveryEpisodeAndSettle() throws {
    var settings = settings()
    (settings.mergeEveryMoves, settings.mergeEverySeconds, settings.threads) = (0, 0.01, 2)
    let results = Mutex<[Int: ([[UInt32]], Int, Int)]>([:])
    let played = Mutex(0)
    ThreadCommunicator.run(ranks: 3) { [settings] ranks in
      let rank = try! RankTeam(settings, ranks)
      let (team, plan) = (rank.team, rank.plan)
      for limit in [70, 140, 200] {
        while rank.ledger.snapshot.episodes < limit {
          team.play(until: limit, deadline: nil, moveLimit: .max) { _ in
            played.withLock { $0 += 1 }
            return plan
          }
          team.inheritWeights()
        }
      }
      team.settle()
      #expect(team.readings.count >= 3 && team.readings.bytes > 0 && team.readings.seconds > 0)
      results.withLock { $0[ranks.rank] = rank.outcome }
    }
    let all = results.withLock(\.self)
    #expect(all[0]!.1 == 200 && played.withLock(\.self) == 200)
    for rank in 1..<3 { #expect(all[rank]! == all[0]!, "rank \(rank)") }
  }

  @Test func aJobThatPlaysDuringMergesResumes() throws {
    let root = try TemporaryDirectory()
    let directory = RunDirectory(path: root.file("run"))
    var timed = settings()
    (timed.mergeEveryMoves, timed.mergeTimeShare, timed.mergeEverySeconds) = (0, 0.04, 0.01)
    (timed.episodes, timed.evaluationEveryEpisodes, timed.evaluationGames) = (3_000, 1_000, 2)
    try #require(try train(timed, in: directory, ranks: 3, stopAfter: 20) == .interrupted)
    #expect(try train(timed, in: directory, ranks: 2) == .finished)
    let report = try #require(directory.reports.last)
    #expect(report.episodes == 3_000 && report.evaluation != nil)
    #expect(directory.reports.contains { $0.merging?.bytesPerMerge ?? 0 > 0 })
  }

  @Test func aJobOfOneRankIsOneProcess() throws {
    let root = try TemporaryDirectory()
    let (one, other) = (
      RunDirectory(path: root.file("one")), RunDirectory(path: root.file("other"))
    )
    #expect(try train(settings(), in: one, ranks: 1) == .finished)
    var withoutMerges = settings()
    withoutMerges.mergeEveryMoves = 0
    #expect(try train(withoutMerges, in: other, ranks: 1) == .finished)
    #expect(try learned(in: one) == learned(in: other))
    #expect(one.reports.map(\.episodes) == [20, 40, 60, 80, 100])
    #expect(one.reports.allSatisfy { $0.merging == nil })
  }

  @Test(arguments: [2, 3])
  func aJobWithOneThreadPerRankIsReproducible(ranks: Int) throws {
    let root = try TemporaryDirectory()
    let directories = ["one", "other"].map { RunDirectory(path: root.file($0)) }
    for directory in directories {
      #expect(try train(settings(), in: directory, ranks: ranks) == .finished)
    }
    #expect(try learned(in: directories[0]) == learned(in: directories[1]))
    let reports = directories[0].reports
    #expect(reports.last?.episodes == 100)
    #expect(reports.allSatisfy { $0.merging?.bytesPerMerge ?? 0 > 0 })
    let state = try RunState(text: directories[0].checkpoints.resume().state.text)
    #expect(state.selfPlay?.players.count == ranks)
    // The players of the ranks have different spawns.
    #expect(Set(state.selfPlay!.players.map(\.source)).count == ranks)
  }

  @Test func aJobResumesWithOtherRanks() throws {
    let root = try TemporaryDirectory()
    let directory = RunDirectory(path: root.file("run"))
    var (episodes, moves) = (0, 0)
    for (ranks, stop) in [(3, 20), (1, 45), (2, 70), (4, .max)] {
      let outcome = try train(settings(), in: directory, ranks: ranks, stopAfter: stop)
      #expect(outcome == (stop == .max ? .finished : .interrupted))
      let saved = try directory.checkpoints.resume()
      let state = try RunState(text: saved.state.text)
      #expect(state.episodes > episodes && state.moves > moves)
      #expect(state.selfPlay?.players.count == ranks)
      (episodes, moves) = (state.episodes, state.moves)
    }
    let reports = directory.reports
    #expect(episodes == 100 && reports.last?.episodes == 100 && reports.last?.moves == moves)
    #expect(reports.map(\.moves) == reports.map(\.moves).sorted())
  }

  @Test func aSignalToAnyRankStopsAll() throws {
    let root = try TemporaryDirectory()
    let directory = RunDirectory(path: root.file("run"))
    #expect(
      try train(settings(), in: directory, ranks: 3, stopAfter: 20, by: 2) == .interrupted)
    #expect(try directory.checkpoints.resume().checkpoint.episodes < 100)
  }

  @Test func anIntervalOfAllMovesMergesAtTheLimit() throws {
    var settings = settings()
    settings.mergeEveryMoves = .max
    ThreadCommunicator.run(ranks: 2) { [settings] ranks in
      let rank = try! RankTeam(settings, ranks)
      let (team, plan) = (rank.team, rank.plan)
      for limit in [10, 20] {
        team.play(until: limit, deadline: nil, moveLimit: .max) { _ in plan }
        #expect(rank.ledger.snapshot.episodes == limit)
      }
      #expect(team.readings.count == 2)
    }
  }

  @Test func aMergerTakesABaseOfEachTableAndTheMarks() {
    let shape = TestNetworks.shape(["01234", "456"])
    let marks = UpdateMarks(entryCount: shape.storageCount).count
    #expect(TableMerger.byteCount(shape, accumulators: 2) == 3 * shape.byteCount + marks)
  }

  @Test func aLimitOfMovesHoldsForTheJob() throws {
    let root = try TemporaryDirectory()
    let directory = RunDirectory(path: root.file("run"))
    var limited = settings()
    (limited.episodes, limited.limitMoves, limited.mergeEveryMoves) = (0, 10_000, 0)
    #expect(try train(limited, in: directory, ranks: 3) == .finished)
    let report = try #require(directory.reports.last)
    // Each rank completes its last episode.
    #expect((10_000..<13_000).contains(report.moves))
  }
}
