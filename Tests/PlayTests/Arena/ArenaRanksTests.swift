import Foundation
import Game2048
import Synchronization
import TestSupport
import Testing

@testable import Basics
@testable import Play

/// Games that the ranks of a job share; threads stand for the ranks.
@Suite struct ArenaRanksTests {
  /// Plays on some ranks, and returns what every one of them returns.
  private func play(
    ranks: Int, threads: Int = 2, games: Int = 40, errorRate: Double? = nil, starts: [Board] = [],
    isRecorded: Bool = false, earlier: GameTable? = nil,
    progress: (@Sendable (Arena.Standing) -> Void)? = nil,
    shouldStop: @escaping @Sendable (_ rank: Int) -> Bool = { _ in false }
  ) throws -> [ArenaResult] {
    let contestants = try ["random", "greedy", "rules"].map { try contestant($0) }
    let results = Mutex<[Int: ArenaResult]>([:])
    ThreadCommunicator.run(ranks: ranks) { communicator in
      let rank = communicator.rank
      let result = Arena.run(
        contestants: contestants, games: games, seed: 11, threads: threads,
        stopping: errorRate.map { StoppingRule(players: 3, errorRate: $0) },
        starts: StartBoards(starts, areDrawn: errorRate != nil), isRecorded: isRecorded,
        earlier: earlier?.players.map(\.games) ?? [], ranks: communicator,
        progress: rank == 0 ? progress : nil,
        shouldStop: { shouldStop(rank) })
      results.withLock { $0[rank] = result }
    }
    return results.withLock { results in (0..<ranks).map { results[$0]! } }
  }

  @Test(arguments: [2, 3]) func gamesAreThoseOfOneProcess(ranks: Int) throws {
    let alone = try play(ranks: 1, isRecorded: true)[0]
    let last = Mutex(0)
    let results = try play(
      ranks: ranks, isRecorded: true,
      progress: { standing in last.withLock { $0 = standing.gamesDone } })
    for result in results {
      #expect(result.outcomes == alone.outcomes)
      #expect(
        result.results.joined().map(\.record) == alone.results.joined().map(\.record))
    }
    #expect(alone.results[0][0].record != nil && alone.games == 40)
    #expect(last.withLock(\.self) == 120)
  }

  @Test func anEarlyEndIsDecidedByTheSameGames() throws {
    let alone = try play(ranks: 1, games: 500, errorRate: 0.05)[0]
    #expect(alone.games < 500 && alone.stopping?.isDecided == true)
    for result in try play(ranks: 3, games: 500, errorRate: 0.05) {
      #expect(result.outcomes == alone.outcomes)
      #expect(result.stopping?.decisions == alone.stopping?.decisions)
    }
  }

  @Test func earlierGamesAreContinuedAsInOneProcess() throws {
    let alone = try play(ranks: 1)[0]
    let some = GameTable(try play(ranks: 1, games: 15)[0]).without([1, 2, 7], of: 0)
    for result in try play(ranks: 3, earlier: some.without([14], of: 2)) {
      #expect(result.outcomes == alone.outcomes)
    }
    let decided = try play(ranks: 1, games: 500, errorRate: 0.05)[0]
    for games in [5, 500] {
      let earlier = GameTable(try play(ranks: 1, games: games)[0])
      for result in try play(ranks: 2, games: 500, errorRate: 0.05, earlier: earlier) {
        #expect(result.outcomes == decided.outcomes)
      }
    }
  }

  @Test func boardsToPlayFromAreRepeatedAsInOneProcess() throws {
    let starts = (2...8).map { Board(exponents: [$0, $0] + [Int](repeating: 0, count: 14)) }
    let alone = try play(ranks: 1, starts: starts)[0]
    for result in try play(ranks: 2, starts: starts) {
      #expect(result.outcomes == alone.outcomes)
      #expect(result.results[0].map(\.start) == alone.results[0].map(\.start))
    }
  }

  @Test func aSignalToOneRankEndsTheGamesOfAll() throws {
    let alone = try play(ranks: 1, games: 2000)[0]
    let asked = Mutex(0)
    let results = try play(
      ranks: 2, games: 2000,
      shouldStop: { rank in
        guard rank == 1 else { return false }
        return asked.withLock { asked in
          asked += 1
          return asked > 2
        }
      })
    // Rank 1 asks in the third exchange. In the first, each of the four threads takes one game of a player, and in the
    // second up to three.
    #expect(results[0].games <= (4 + 12) / 3)
    for result in results {
      #expect(result.outcomes == alone.outcomes.map { Array($0.prefix(result.games)) })
      #expect(result.games == results[0].games)
    }
  }

  @Test func gamesThatHaveNotBegunAreNotPlayedAfterAStop() {
    let stops = Mutex(false)
    /// The threads that play their second game.
    let playing = Mutex(0)
    let played = Mutex<[Int]>([])
    ThreadCommunicator.run(ranks: 2) { communicator in
      let board = Scoreboard(
        contestants: 1, items: 100, workers: 1, stopping: nil, earlier: [], progress: nil)
      let exchange = GameExchange(workers: 1)
      let exchanges = Mutex(0)
      @Sendable func finish(_ item: Int) {
        exchange.finish(
          GameResult(score: 4, moves: 1, largestExponent: 2, seconds: 0), item: item)
      }
      @Sendable func wait(until isTrue: () -> Bool) { while !isTrue() { usleep(1_000) } }
      WorkerThreads.run(count: 2) { thread, _ in
        if thread == 0 {
          return exchange.run(
            communicator, on: board, items: 100, start: { _ in nil },
            shouldStop: {
              exchanges.withLock { $0 += 1 }
              return communicator.rank == 1 && stops.withLock(\.self)
            })
        }
        // A finished game asks for three others, of which this thread begins the first.
        finish(exchange.claim()!)
        let second = exchange.claim()!
        playing.withLock { $0 += 1 }
        wait { playing.withLock(\.self) == 2 }
        stops.withLock { $0 = true }
        let now = exchanges.withLock(\.self)
        wait { exchanges.withLock(\.self) >= now + 3 }
        finish(second)
        while let item = exchange.claim() { finish(item) }
      }
      played.withLock { $0.append(board.done) }
    }
    #expect(played.withLock(\.self) == [4, 4])
  }

  @Test func moreRanksThanGamesWaitForTheOthers() throws {
    for result in try play(ranks: 4, threads: 3, games: 1) { #expect(result.games == 1) }
    for result in try play(ranks: 2, games: 0) { #expect(result.games == 0) }
  }
}
