import Basics
import Foundation
import Game2048
import ModelFiles
import TestSupport
import Testing

@testable import Play

/// Returns two short games of each of two players, on 2 × 2 with only 2s as spawns.
private func someGames() -> GameRecordFile {
  // Two 2s in the upper row, which a move left merges before a 2 appears below; then two in the left column.
  func entry(_ bytes: [UInt8], _ score: Int) -> GameRecordFile.Entry {
    GameRecordFile.Entry(score: score, record: GameRecord(bytes: bytes))
  }
  let header = GameRecordFile.Header(
    boardSize: 2, fourProbability: 0, seed: .max, players: ["random", "a:b=c,d"], games: 2)
  return GameRecordFile(
    header: header,
    entries: [
      [entry([0, 4], 0), entry([0, 4, 18], 4)], [entry([0, 16, 20], 4), entry([0, 20], 0)],
    ])
}

/// Returns the same games without the last one of the first player.
private func gamesOfDifferentNumbers() -> GameRecordFile {
  var (header, entries) = (someGames().header, someGames().entries)
  header.gamesPerPlayer = [1, 2]
  entries[0].removeLast()
  return GameRecordFile(header: header, entries: entries)
}

@Suite struct GameRecordFileTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("games")
    try someGames().write(to: path)
  }

  @Test func whatIsWrittenIsRead() throws {
    let file = try GameRecordFile.read(path)
    #expect(file == someGames())
    #expect(directory.names == ["games"])
    var replay = try file.replay(player: 0, game: 1, path: path)
    #expect(replay.moves == 0)
    #expect(try replay.step()?.reward == 4)
    #expect(replay.board == Board(exponents: [2, 0, 0, 0, 1] + [Int](repeating: 0, count: 11)))
  }

  @Test func theFormatStays() throws {
    let bytes = try directory.bytes("games")
    let header =
      Array(
        #"{"boardSize":2,"fourProbability":0,"games":2,"players":["random","a:b=c,d"],"#.utf8)
      + Array(#""seed":18446744073709551615}"#.utf8)
    #expect(
      bytes.starts(with: Array("2048GAME".utf8) + [1, 0, 0, 0, UInt8(header.count), 0, 0, 0]))
    #expect(Array(bytes[16..<16 + header.count]) == header)
    // The header and its checksum, and then four games of 20 bytes plus their records.
    #expect(bytes.count == 16 + header.count + 4 + 4 * 20 + 2 + 3 + 3 + 2)
    let second = 16 + header.count + 4 + 22
    #expect(
      Array(bytes[second..<second + 19])
        == [0, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 0, 16, 20])
  }

  @Test func playersMayHaveDifferentNumbersOfGames() throws {
    let file = gamesOfDifferentNumbers()
    try file.write(to: path)
    #expect(try GameRecordFile.read(path) == file && file.header.gameCounts == [1, 2])
    let bytes = try directory.bytes("games")
    let header = Array(
      #"{"boardSize":2,"fourProbability":0,"games":2,"gamesPerPlayer":[1,2],"#.utf8)
    // A program that reads version 1 says that it does not read this one.
    #expect(bytes.prefix(12) == Array("2048GAME".utf8)[...] + [2, 0, 0, 0])
    #expect(bytes[16...].starts(with: header))
    let last = Array(bytes.suffix(22))
    #expect(last.prefix(8) == [1, 0, 0, 0, 1, 0, 0, 0] && last[16..<18] == [0, 20])
    // Game by game, and whoever has it.
    let boards = try file.firstBoards(with: [1], path: path)
    #expect(boards.map(\.game) == [0, 0, 1] && boards.map(\.player) == [0, 1, 1])
  }

  @Test func aGameIsFoundByItsNumberAndPlayer() throws {
    let file = gamesOfDifferentNumbers()
    #expect(try file.place(ofGame: 1, player: nil, path: "a") == (0, 0))
    #expect(try file.place(ofGame: 2, player: "a:b=c,d", path: "a") == (1, 1))
    for (game, player, message) in [
      (2, nil, "no game 2. The last is 1."), (0, nil, "no game 0. The last is 1."),
      (3_000, "a:b=c,d", "no game 3,000. The last is 2."),
      (1, "other", "no games of 'other'. Players: random, a:b=c,d."),
    ] as [(Int, String?, String)] {
      let error = #expect(throws: LocatedError.self) {
        try file.place(ofGame: game, player: player, path: "a")
      }
      #expect(error?.description == "a: \(message)")
    }
  }

  /// Returns the start of a file with this header, of its version or of another one.
  private func start(_ header: GameRecordFile.Header, version: UInt8? = nil) throws -> [UInt8] {
    let text = Array(try header.metadataText("header", path: path).utf8)
    let version = version ?? UInt8(header.version)
    let bytes =
      Array("2048GAME".utf8)
      + [version, 0, 0, 0, UInt8(text.count & 255), UInt8(text.count >> 8), 0, 0] + text
    let checksum = crc32C(bytes)
    return bytes + (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
  }

  // Promise: A review leaves games alone
  @Test func aFileClaimsNoMoreGamesThanItHolds() throws {
    var header = someGames().header
    for (games, perPlayer) in [
      (3, nil), (1 << 40, nil), (.max, nil), (3, [3, 2]), (1 << 40, [1, 1 << 40]),
      (.max, [.max, .max]),
    ] as [(Int, [Int]?)] {
      (header.games, header.gamesPerPlayer) = (games, perPlayer)
      try directory.write(start(header) + directory.bytes("games").suffix(90), "games")
      let error = locatedError { _ = try GameRecordFile.read(path) }
      #expect(error?.problem == "the file ends too early")
      try someGames().write(to: path)
    }
  }

  @Test func numbersOfGamesThatContradictEachOtherAreRejected() throws {
    var header = someGames().header
    for (version, games, perPlayer) in [
      (1, 2, [2, 2]), (2, 2, nil), (2, 2, [2]), (2, 2, [2, 2, 2]), (2, 2, [1, 1]), (2, 2, [3, 2]),
      (2, 2, [2, -1]), (2, 0, []),
    ] as [(UInt8, Int, [Int]?)] {
      (header.games, header.gamesPerPlayer) = (games, perPlayer)
      try directory.write(
        start(header, version: version) + directory.bytes("games").suffix(90), "other")
      let error = locatedError { _ = try GameRecordFile.read(directory.file("other")) }
      #expect(error?.problem == "its content is invalid", "\(version) \(games)")
    }
  }

  @Test func aHoleTakesNoMemory() throws {
    try directory.write(start(someGames().header), "games")
    try #require(truncate(path, 1 << 32) == 0)
    let error = locatedError { _ = try GameRecordFile.read(path) }
    // The file does not fit into memory, or its first game is damaged.
    #expect(error?.kind == .unsuitableData || error?.kind == .insufficientMemory)
  }

  // Promise: A review leaves games alone
  @Test func aGameHasALargestLength() throws {
    var bytes = try directory.bytes("games")
    let length = bytes.count - 22 + 12
    bytes.replaceSubrange(length..<length + 4, with: [1, 0, 2, 0])
    try directory.write(bytes, "games")
    let error = locatedError { _ = try GameRecordFile.read(path) }
    #expect(error?.problem == "exceeds the limit for a recorded game: 128 KiB")
    #expect(error?.place?.hasPrefix("game 2 of a:b=c,d, byte ") == true)
  }

  // Promise: A review leaves games alone
  @Test(arguments: [false, true]) func everyDamagedByteIsNoticed(numbersDiffer: Bool) throws {
    if numbersDiffer { try gamesOfDifferentNumbers().write(to: path) }
    let bytes = try directory.bytes("games")
    for place in bytes.indices {
      for bit in [UInt8(1), 0x80] {
        var damaged = bytes
        damaged[place] ^= bit
        try directory.write(damaged, "damaged")
        let error = locatedError { _ = try GameRecordFile.read(directory.file("damaged")) }
        #expect(error?.kind == .unsuitableData)
        #expect(error?.place?.contains("byte") ?? false)
      }
    }
    for length in bytes.indices {
      try directory.write(bytes.prefix(length), "damaged")
      let error = locatedError { _ = try GameRecordFile.read(directory.file("damaged")) }
      #expect(error?.kind == .unsuitableData)
    }
    try directory.write(bytes + [0], "damaged")
    let error = locatedError { _ = try GameRecordFile.read(directory.file("damaged")) }
    #expect(error?.description.contains("byte \(bytes.count): the file has further bytes") ?? false)
  }

  @Test func theDamagedGameIsNamed() throws {
    var bytes = try directory.bytes("games")
    bytes[bytes.count - 5] ^= 4
    try directory.write(bytes, "games")
    let error = locatedError { _ = try GameRecordFile.read(path) }
    #expect(error?.place == "game 2 of a:b=c,d, byte \(bytes.count - 22)")
  }

  @Test func exchangedGamesAreNoticed() throws {
    // The first and the last game have the same length.
    var bytes = try directory.bytes("games")
    let first = bytes.count - (22 + 23 + 23 + 22)
    let last = bytes.count - 22
    for place in 0..<22 { bytes.swapAt(first + place, last + place) }
    try directory.write(bytes, "games")
    let error = locatedError { _ = try GameRecordFile.read(path) }
    #expect(error?.problem == "the file has another game here")
  }

  // Promise: A review leaves games alone
  @Test func gamesThatBreakTheRulesAreNoticed() throws {
    var entries = someGames().entries
    entries[0][0].record = GameRecord(bytes: [0, 4, 0])
    entries[0][1].score = 8
    let file = GameRecordFile(header: someGames().header, entries: entries)
    let illegal = locatedError { _ = try file.replay(player: 0, game: 0, path: path) }
    #expect(illegal?.kind == .unsuitableData)
    #expect(illegal?.place == "game 1 of random")
    #expect(illegal?.problem == "byte 2 of the game: moving up changes nothing")
    let wrongScore = locatedError { _ = try file.replay(player: 0, game: 1, path: path) }
    #expect(wrongScore?.problem == "its moves score 4 points, but 8 are recorded")
  }

  @Test func otherFilesAreRefused() throws {
    try directory.write("2048GAMEwhatever follows here".utf8, "other")
    #expect(
      locatedError { _ = try GameRecordFile.read(directory.file("other")) }?.problem
        .contains("version") ?? false)
    try directory.write("hello".utf8, "other")
    #expect(
      locatedError { _ = try GameRecordFile.read(directory.file("other")) }?.problem
        == "this is not a file of recorded games")
    #expect(
      locatedError { _ = try GameRecordFile.read(directory.file("missing")) }?.kind
        == .missingInput)
  }

  /// Numbers and texts at the ends of their ranges.
  @Test func whateverIsWrittenIsRead() throws {
    let entry = GameRecordFile.Entry(
      score: Int(UInt32.max),
      record: GameRecord(bytes: Array(repeating: 255, count: InputLimit.recordedGame.most)))
    let empty = GameRecordFile.Entry(score: 0, record: GameRecord(bytes: []))
    for (size, fourProbability) in [(2, 0), (3, 1), (4, 0.1), (4, 1e-300)] {
      let header = GameRecordFile.Header(
        boardSize: size, fourProbability: fourProbability, seed: .max,
        players: [#"",\"#, "ü 🎲\n", ""], games: 2, gamesPerPlayer: [2, 0, 1])
      let file = GameRecordFile(header: header, entries: [[entry, empty], [], [empty]])
      try file.write(to: path)
      #expect(try GameRecordFile.read(path) == file)
    }
  }
}
