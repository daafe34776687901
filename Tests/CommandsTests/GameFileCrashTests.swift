import Basics
import Foundation
import Game2048
import TestSupport
import Testing

@testable import Commands
@testable import Play

/// A crash may come at any moment while files that belong together are written: what it leaves is resumed.
@Suite struct GameFileCrashTests {
  private let root: TemporaryDirectory
  private let games: GameTable

  init() throws {
    root = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: root.file("files"), withIntermediateDirectories: false)
    let contestants = try ["random", "rules"].map {
      try PlayerFactory().contestant(PlayerSpecification($0), inParallel: 1)
    }
    let result = Arena.run(
      contestants: contestants, games: 3, seed: 3, threads: 1, isRecorded: true)
    var table = GameTable(seed: 3)
    for (name, results) in zip(result.contestants, result.results) {
      table.players.append(
        GameTable.Player(
          name: name, weights: nil,
          games: results.enumerated().map { GameTable.Game(number: $0, result: $1) }))
    }
    games = table
  }

  /// The first games of each player.
  private func first(_ count: Int) -> GameTable {
    var table = games
    for player in table.players.indices { table.players[player].games.removeLast(3 - count) }
    return table
  }

  private func files(in directory: String) throws -> GameFiles {
    try GameFiles(
      csv: directory + "/games.csv", record: directory + "/games", seed: 3, resumes: true)
  }

  /// The games without their moves, as the file of `--csv` has them.
  private func withoutMoves(_ table: GameTable) -> GameTable {
    var table = table
    for player in table.players.indices {
      for game in table.players[player].games.indices {
        table.players[player].games[game].result.record = nil
      }
    }
    return table
  }

  // Promise: A run is never lost
  @Test("an evaluation resumes from whatever a crash leaves of its two files")
  func evaluation() throws {
    let recorder = try CrashRecorder(of: root.file("files"))
    try FileOperations.$current.withValue(recorder.operations) {
      let files = try files(in: root.file("files"))
      for count in 1...2 { files.save(first(count)) }
    }
    let copy = root.file("copy")
    let states = recorder.states()
    for (number, state) in states.enumerated() {
      try recorder.write(state, to: copy)
      let files = try files(in: copy)
      let known = try files.read()
      // No game is known that was not played.
      for player in known?.players ?? [] {
        let played = try #require(games.player(named: player.name)).games
        #expect(player.games.allSatisfy { played.contains($0) }, "state \(number)")
      }
      files.note(games)
      try files.write()
      #expect(try GameTable(path: copy + "/games.csv") == withoutMoves(games), "state \(number)")
      #expect(
        try GameRecordFile.read(copy + "/games") == GameRecordFile(games), "state \(number)")
    }
    #expect(states.count == 17, "the number of states")
  }

  // Promise: A run is never lost
  @Test("the game of play is the old or the new one")
  func keptGame() throws {
    let path = root.file("files/game")
    let records = try games.players[1].games.map { try #require($0.result.record) }
    func write(_ kept: inout KeptGame, _ place: Int) throws {
      try kept.write(
        records[place], score: games.players[1].games[place].result.score, rules: .standard,
        seed: UInt64(place), helper: nil)
    }
    var kept = try KeptGame(path: path, rules: .standard)
    try write(&kept, 0)
    let recorder = try CrashRecorder(of: root.file("files"))
    try FileOperations.$current.withValue(recorder.operations) { try write(&kept, 1) }
    let states = recorder.states()
    var seeds: Set<UInt64> = []
    for state in states {
      try recorder.write(state, to: root.file("copy"))
      _ = try KeptGame(path: root.file("copy/game"), rules: .standard)
      seeds.insert(try GameRecordFile.read(root.file("copy/game")).header.seed)
    }
    #expect(seeds == [0, 1])
    #expect(states.count == 6, "the number of states")
  }
}
