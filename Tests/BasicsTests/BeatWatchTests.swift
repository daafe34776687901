import Testing

@testable import Basics

/// Beats between ranks, without time: each round is a beat of every rank that is awake.
@Suite struct BeatWatchTests {
  private struct Job {
    var watches: [BeatWatch]
    /// The beats on their way, by receiver.
    var sent: [[(beat: Beat, from: Int)]]

    init(size: Int) {
      watches = (0..<size).map { BeatWatch(rank: $0, size: size) }
      sent = Array(repeating: [], count: size)
    }

    /// Lets some ranks beat and hear, as the thread of each does.
    mutating func beat(_ ranks: [Int], ending: [Int] = [], delivers: Bool = true) {
      for rank in ranks {
        watches[rank].beat(isEnding: ending.contains(rank)) { beat, partner in
          if delivers { sent[partner].append((beat, rank)) }
          return delivers
        }
        for (beat, sender) in sent[rank] { watches[rank].hear(beat, from: sender) }
        sent[rank] = []
      }
    }

    var lost: [Int?] { watches.map(\.lost) }
  }

  @Test func ranksThatBeatAreNotLost() {
    var job = Job(size: 3)
    for _ in 0..<1000 { job.beat([0, 1, 2]) }
    #expect(job.lost == [nil, nil, nil])
    #expect(job.watches.map(\.partners) == [[1, 2], [0], [0]])
  }

  @Test func aSilentRankIsLostAfterSevenSeconds() {
    #expect(Double(BeatWatch.limit) * BeatWatch.interval == 7)
    var job = Job(size: 3)
    var named: [[Int]] = []
    for _ in 0..<BeatWatch.limit {
      job.beat([0, 1])
      named.append(job.watches[0].overdue)
    }
    #expect(job.lost == [nil, nil, nil])
    // It is named once, after three seconds.
    #expect(named.firstIndex(of: [2]) == 11)
    #expect(named.filter { !$0.isEmpty } == [[2]])
    job.beat([0, 1])
    #expect(job.lost == [2, nil, nil])
  }

  @Test func aNetworkThatFailsEndsBothSides() {
    var job = Job(size: 2)
    job.beat([0, 1])
    // The last beat of rank 1 is still on its way.
    for _ in 0...(BeatWatch.limit + 1) { job.beat([0, 1], delivers: false) }
    #expect(job.lost == [1, 0])
  }

  @Test func aProcessThatWasStoppedAccusesNobody() {
    var job = Job(size: 2)
    // Rank 1 is stopped for a while that rank 0 endures; its beats wait.
    for _ in 0..<BeatWatch.limit { job.beat([0]) }
    job.beat([1, 0])
    #expect(job.lost == [nil, nil])
    // Both are stopped, for however long: nothing is counted, and nothing happens.
    job.beat([0, 1])
    #expect(job.lost == [nil, nil])
  }

  @Test func ranksTakeLeaveInAnyOrder() {
    var job = Job(size: 3)
    // Rank 1 ends long before the others, which do not miss it.
    for _ in 0..<1000 { job.beat([0, 1, 2], ending: [1]) }
    #expect(job.lost == [nil, nil, nil])
    #expect(job.watches[0].partners == [2] && !job.watches[1].isOver)
    // A farewell that cannot leave is sent again.
    job.beat([0, 1, 2], ending: [0, 1, 2], delivers: false)
    #expect(job.watches.map(\.isOver) == [false, false, false])
    for _ in 0..<2 { job.beat([0, 1, 2], ending: [0, 1, 2]) }
    #expect(job.watches.map(\.isOver) == [true, true, true])
  }
}
