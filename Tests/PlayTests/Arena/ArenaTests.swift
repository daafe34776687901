import Game2048
import NTupleNetwork
import Synchronization
import Testing

@testable import Basics
@testable import Play
@testable import Search

func contestant(_ text: String, name: String? = nil, rules: Rules = .standard) throws -> Contestant
{
  try PlayerFactory(rules: rules).contestant(
    PlayerSpecification(text), name: name, inParallel: 1)
}

/// A result without its duration, which differs from run to run.
struct Outcome: Hashable {
  let score: Int
  let moves: Int
  let largestExponent: Int
}

extension ArenaResult {
  var outcomes: [[Outcome]] {
    results.map { games in
      games.map {
        Outcome(score: $0.score, moves: $0.moves, largestExponent: $0.largestExponent)
      }
    }
  }
}

@Test func equalContestantsPlayEqualGames() throws {
  // This includes random players, whose seed depends on the game.
  for text in ["greedy", "random"] {
    let twins = try ["a", "b"].map { try contestant(text, name: $0) }
    let result = Arena.run(contestants: twins, games: 50, seed: 3, threads: 2)
    #expect(result.outcomes[0] == result.outcomes[1])
    let comparison = try #require(ArenaReport(result).comparisons.first)
    #expect(comparison.a == "a" && comparison.b == "b")
    #expect(comparison.meanDifference == 0)
    #expect(comparison.ci95 == ConfidenceInterval(low: 0, high: 0))
    #expect(comparison.ratio == 1)
    #expect(comparison.ratioCi95 == ConfidenceInterval(low: 1, high: 1))
  }
}

@Test func gamesAreNumberedOneByOne() throws {
  // The first games of a long run are the games of a short one.
  let players = [try contestant("greedy")]
  let long = Arena.run(contestants: players, games: 30, seed: 5, threads: 2)
  let short = Arena.run(contestants: players, games: 10, seed: 5, threads: 1)
  #expect(Array(long.outcomes[0].prefix(10)) == short.outcomes[0])
}

/// A greedy player that records every board it sees.
private struct Recorder: Player {
  final class Log: Sendable {
    let boards = Mutex<[Board]>([])
  }

  let name = "recorder"
  let log: Log
  let player = GreedyPlayer()

  func decide(on board: Board) -> Decision {
    log.boards.withLock { $0.append(board) }
    return player.decide(on: board)
  }
}

@Test func aGameIsScoredRight() {
  let log = Recorder.Log()
  let result = GameResult(of: Recorder(log: log), spawns: GameSpawns(seed: 9, game: 4))
  let boards = log.boards.withLock { $0 }
  #expect(boards[0].tileCount == 2)
  #expect(result.moves == boards.count - 1)
  #expect(Rules.standard.isOver(boards.last!))
  #expect(result.largestExponent == boards.last!.exponents.max())
  #expect(result.seconds > 0)
  // A tile 2^e that grew from 2s has earned (e − 1) 2^e points, 4 less for every spawned 4.
  var spawnedFours = 0
  let spawns = GameSpawns(seed: 9, game: 4)
  for (place, board) in boards.enumerated() {
    if place == 0 {
      spawnedFours += board.exponents.count { $0 == 2 }
      continue
    }
    let moved = Rules.standard.move(
      boards[place - 1], GreedyPlayer().chooseMove(from: boards[place - 1])!)!
    // The spawn after move t is spawn t + 2, and adds one tile to the afterstate.
    var expected = moved.afterstate
    Rules.standard.spawn(on: &expected, bits: spawns.bits(place + 1))
    #expect(board == expected)
    let added = zip(board.exponents, moved.afterstate.exponents).filter { $0 != $1 }
    #expect(added.count == 1 && added[0].1 == 0)
    if added[0].0 == 2 { spawnedFours += 1 }
  }
  let grown = boards.last!.exponents.filter { $0 > 0 }.map { ($0 - 1) << $0 }.reduce(0, +)
  #expect(result.score == grown - 4 * spawnedFours)
}

@Test func spawnsDependOnSeedGameAndNumber() {
  var seen: Set<UInt64> = []
  for seed in 0..<4 {
    for game in 0..<25 {
      let spawns = GameSpawns(seed: UInt64(seed), game: game)
      for spawn in 0..<50 { seen.insert(spawns.bits(spawn)) }
      seen.insert(spawns.playerSeed)
    }
  }
  #expect(seen.count == 4 * 25 * 51)
}

/// Published results name seeds, so the games of a seed must not change.
@Test func theSpawnsOfAGameAreASplitMixStream() {
  // The first outputs of SplitMix64 with seed 0.
  let keys: [UInt64] = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]
  for (game, key) in keys.enumerated() {
    var stream = SplitMix64(seed: key)
    let spawns = GameSpawns(seed: 0, game: game)
    #expect((0..<5).map { spawns.bits($0) } == (0..<5).map { _ in stream.next() })
  }
}

@Test func anEarlyStopLeavesWholeGames() throws {
  let contestants = try ["random", "greedy", "rules"].map { try contestant($0) }
  let all = Arena.run(contestants: contestants, games: 20, seed: 1, threads: 1)
  for threads in 1...3 {
    let asked = Atomic<Int>(0)
    let some = Arena.run(
      contestants: contestants, games: 20, seed: 1, threads: threads,
      shouldStop: { asked.add(1, ordering: .relaxed).newValue > 31 })
    #expect(some.games == 10)
    #expect(some.outcomes == all.outcomes.map { Array($0.prefix(10)) })
  }
  let none = Arena.run(
    contestants: contestants, games: 20, seed: 1, threads: 2, shouldStop: { true })
  #expect(none.games == 0)
  let report = ArenaReport(none)
  #expect(report.players.map(\.score.mean) == [0, 0, 0])
  #expect(report.comparisons.count == 3)
}

@Test func progressReachesTheEnd() throws {
  let seen = Mutex<[Arena.Standing]>([])
  let players = try ["random", "rules"].map { try contestant($0) }
  let result = Arena.run(contestants: players, games: 30, seed: 1, threads: 2) { progress in
    seen.withLock { $0.append(progress) }
  }
  let reports = seen.withLock { $0 }
  #expect(reports.allSatisfy { $0.gamesTotal == 60 })
  #expect(reports.last?.gamesDone == 60)
  #expect(reports.map(\.gamesDone) == reports.map(\.gamesDone).sorted())
  #expect(reports.last?.moves == result.results.joined().reduce(0) { $0 + $1.moves })
}

@Test func smallBoardsArePlayed() throws {
  let rules = Rules(size: 2)
  let players = try ["random", "rules", "expectimax:depth=2"].map {
    try contestant($0, rules: rules)
  }
  let result = Arena.run(contestants: players, games: 20, seed: 1, threads: 2, rules: rules)
  #expect(result.games == 20)
  // A 2 × 2 board cannot hold more than 32.
  #expect(result.results.joined().allSatisfy { $0.largestExponent <= 5 && $0.moves > 0 })
}

/// Recurses until the stack has grown to `bytes` below the address `top`, and returns its size then.
private func descend(_ bytes: Int, from top: Int? = nil) -> Int {
  var frame = 0
  let address = withUnsafePointer(to: &frame) { Int(bitPattern: $0) }
  let size = (top ?? address) - address
  return size >= bytes ? size : max(descend(bytes, from: top ?? address), frame)
}

@Test func threadsHaveDeepStacks() {
  // With the usual stack of 8 MiB, this would crash.
  let bytes = 11 << 20
  let deep = Atomic<Int>(0)
  WorkerThreads.run(count: 2) { _, _ in
    if descend(bytes) >= bytes { deep.add(1, ordering: .relaxed) }
  }
  #expect(deep.load(ordering: .relaxed) == 2)
}

@Test func recordedGamesAreTheGamesPlayed() throws {
  let contestants = try ["random", "rules"].map { try contestant($0) }
  let result = Arena.run(
    contestants: contestants, games: 10, seed: 8, threads: 2, isRecorded: true)
  let plain = Arena.run(contestants: contestants, games: 10, seed: 8, threads: 1)
  #expect(result.outcomes == plain.outcomes)
  #expect(plain.results.joined().allSatisfy { $0.record == nil })
  for game in result.results.joined() {
    let record = try #require(game.record)
    #expect(record.moves == game.moves)
    var replay = try GameReplay(record)
    while try replay.step() != nil {}
    #expect(replay.score == game.score)
    #expect(replay.board.largestTileExponent == game.largestExponent)
    #expect(Rules.standard.isOver(replay.board))
  }
}

@Test func partsJoinIntoOneArena() throws {
  let contestants = try ["random", "greedy", "rules"].map { try contestant($0) }
  let whole = Arena.run(contestants: contestants, games: 5, seed: 8, threads: 2)
  let parts = [contestants[0...1], contestants[2...2]].map {
    Arena.run(contestants: Array($0), games: 5, seed: 8, threads: 2)
  }
  let joined = ArenaResult(joining: parts)
  #expect(joined.outcomes == whole.outcomes)
  #expect(joined.contestants == whole.contestants && joined.seed == 8)
}
