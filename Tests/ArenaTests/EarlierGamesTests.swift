import Foundation
import Game2048
import Synchronization
import TestSupport
import Testing

@testable import Arena
@testable import Basics

/// Evaluations that continue the games of a file.
@Suite struct EarlierGamesTests {
  private let directory: TemporaryDirectory
  private let contestants: [Contestant]

  init() throws {
    directory = try TemporaryDirectory()
    let named = try ["random", "rules"].map { try contestant($0) }
    contestants = [
      Contestant(name: #"a,"b""#, weights: "sha256:1", makePlayer: named[0].makePlayer), named[1],
    ]
  }

  private func play(
    _ games: Int, threads: Int = 2, stopping: StoppingRule? = nil, starts: [Board] = [],
    isRecorded: Bool = false, earlier: ArenaResult? = nil
  ) -> ArenaResult {
    Arena.run(
      contestants: contestants, games: games, seed: 3, threads: threads, stopping: stopping,
      starts: starts, isRecorded: isRecorded, earlier: earlier)
  }

  /// Returns the games of a text.
  private func read(_ text: String) throws -> EarlierGames {
    try directory.write(Array(text.utf8), "games.csv")
    return try EarlierGames(path: directory.file("games.csv"))
  }

  private func result(
    of earlier: EarlierGames, weights: [String?] = ["sha256:1", nil], starts: [Board] = []
  ) throws -> ArenaResult {
    try earlier.result(of: contestants.map(\.name), weights: weights, starts: starts)
  }

  @Test func aFileHasTheGamesThatWereWritten() throws {
    let played = play(7)
    let earlier = try read(played.csv)
    #expect(earlier.seed == 3 && earlier.games == 7 && earlier.gamesOfAllPlayers == 14)
    #expect(earlier.players == contestants.map(\.name))
    let result = try result(of: earlier)
    #expect(result.results == played.results && result.csv == played.csv)

    let starts = [
      Board(exponents: [9, 8, 7] + [Int](repeating: 0, count: 12) + [1]),
      Board(exponents: [10, 9] + [Int](repeating: 0, count: 12) + [1, 1]),
    ]
    let late = play(5, starts: starts)
    let lateGames = try read(late.csv)
    #expect(try self.result(of: lateGames, starts: starts).results == late.results)
  }

  @Test func earlierGamesAreNotPlayedAgain() throws {
    let whole = play(20, isRecorded: true)
    let played = Mutex(0)
    let counted = contestants.map { contestant in
      Contestant(name: contestant.name, weights: contestant.weights) { seed in
        played.withLock { $0 += 1 }
        return contestant.makePlayer(seed)
      }
    }
    let continued = Arena.run(
      contestants: counted, games: 20, seed: 3, threads: 2, isRecorded: true,
      earlier: play(8, isRecorded: true))
    #expect(played.withLock(\.self) == 24)
    #expect(continued.outcomes == whole.outcomes)
    #expect(continued.results.joined().map(\.record) == whole.results.joined().map(\.record))
    // With all games, none is played.
    #expect(play(8, earlier: play(8)).outcomes == whole.outcomes.map { Array($0.prefix(8)) })
  }

  @Test(arguments: [1, 10, 400]) func theSameGameDecidesAComparison(earlier: Int) {
    let rule = StoppingRule(players: 2, errorRate: 0.05)
    let whole = play(400, stopping: rule)
    #expect(whole.stopping?.isDecided == true && (11..<400).contains(whole.games))
    let continued = play(400, stopping: rule, earlier: play(earlier))
    #expect(continued.outcomes == whole.outcomes)
    #expect(continued.stopping?.decisions == whole.stopping?.decisions)
  }

  @Test func gamesOfOthersAreRejected() throws {
    let earlier = try read(play(3).csv)
    func expectError(_ text: String, _ body: () throws -> ArenaResult) {
      let error = #expect(throws: LocatedError.self) { try body() }
      #expect(error?.kind == .usage && error?.description.contains(text) == true)
    }
    expectError("other weights") { try result(of: earlier, weights: ["sha256:2", nil]) }
    expectError("other weights") { try result(of: earlier, weights: ["sha256:1", "x"]) }
    expectError("other boards") {
      try result(of: earlier, starts: [Board(exponents: [1] + [Int](repeating: 0, count: 15))])
    }
    // A player without games has nothing to compare, and then no game is complete.
    let more = try earlier.result(
      of: contestants.map(\.name) + ["new"], weights: ["sha256:2", nil, nil], starts: [])
    #expect(more.games == 0)
  }

  @Test(arguments: [
    ("", "has no games"), ("game,player\r\n", "line 1"), ("HEADER\r\n", "has no games"),
    ("HEADER\r\n2,a,4,2,4,0.1,3,\r\n", "line 2: it is not game 1 of a"),
    ("HEADER\r\n1,a,4,2,4,0.1,3,\r\n1,a,4,2,4,0.1,3,\r\n", "line 3: it is not game 2 of a"),
    ("HEADER\r\n1,a,4,2,4,0.1,3,\r\n2,a,4,2,4,0.1,4,\r\n", "line 3: it has another seed"),
    ("HEADER\r\n1,a,4,2,4,0.1,3,\r\n2,a,4,2,4,0.1,3,w\r\n", "line 3: it has other weights"),
    ("HEADER\r\n1,a,4,2,5,0.1,3,\r\n", "line 2: it is not a game"),
    ("HEADER\r\n1,a,-4,2,4,0.1,3,\r\n", "line 2: it is not a game"),
    ("HEADER\r\n1,a,4,2,4,nan,3,\r\n", "line 2: it is not a game"),
    ("HEADER\r\n1,a,4,2,4,0.1,3\r\n", "line 2: it is not a game"),
    ("HEADER\r\n1,\"a,4,2,4,0.1,3,\r\n", "line 2: it is not a game"),
    ("HEADER,start\r\n1,a,4,2,4,0.1,3,,zz\r\n", "line 2: it is not a game"),
  ]) func damageIsNamed(text: String, message: String) {
    let header = ArenaResult.columns.joined(separator: ",")
    let error = #expect(throws: LocatedError.self) {
      try read(text.replacing("HEADER", with: header))
    }
    #expect(error?.kind == .unsuitableData, "\(String(describing: error))")
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test func movesComeFromTheRecord() throws {
    let played = play(6, isRecorded: true)
    func recorded(_ result: ArenaResult) -> GameRecordFile {
      GameRecordFile(result, rules: .standard)
    }
    var earlier = try read(played.csv)
    try earlier.addMoves(from: recorded(played), path: "record")
    #expect(try result(of: earlier).results == played.results)
    // Games without moves are played again.
    var fewer = try read(played.csv)
    try fewer.addMoves(from: recorded(play(4, isRecorded: true)), path: "record")
    #expect(try result(of: fewer).results == played.results.map { Array($0.prefix(4)) })
    var later = try read(play(2).csv)
    try later.addMoves(from: recorded(played), path: "record")
    #expect(try result(of: later).games == 2)

    let others = Arena.run(
      contestants: contestants, games: 6, seed: 4, threads: 1, isRecorded: true)
    var mixed = try read(played.csv)
    let error = #expect(throws: LocatedError.self) {
      try mixed.addMoves(from: recorded(others), path: "record")
    }
    #expect(error?.description.contains("game 1 of") == true)
  }

  @Test func gamesAreSavedWhileOthersArePlayed() {
    let saves = Mutex<[Int]>([])
    let games = Mutex(0)
    func saver(_ interval: Duration) -> Saver {
      Saver(games: 2, interval: interval) {
        saves.withLock { $0.append(games.withLock(\.self)) }
      }
    }
    func finish(_ count: Int, _ saver: Saver) {
      games.withLock { $0 = count }
      saver.saveIfDue(games: count)
    }
    let eager = saver(.zero)
    for count in [1, 2, 3, 3] { finish(count, eager) }
    #expect(saves.withLock(\.self) == [3], "only new games")
    let patient = saver(.seconds(1e6))
    for count in [3, 4] { finish(count, patient) }
    #expect(saves.withLock(\.self) == [3], "too early")
  }

  @Test func aSaveThatTakesLongIsRare() {
    let saves = Mutex(0)
    let saver = Saver(games: 0, interval: .zero) {
      saves.withLock { $0 += 1 }
      Thread.sleep(forTimeInterval: 0.1)
    }
    for games in 1...20 { saver.saveIfDue(games: games) }
    #expect(saves.withLock(\.self) == 1)
  }
}
