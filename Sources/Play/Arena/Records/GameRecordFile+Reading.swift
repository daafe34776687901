import Basics
import Foundation
import Game2048

extension GameRecordFile {
  /// Reads a file and verifies its checksums.
  ///
  /// ``replay(player:game:path:)`` checks that a game follows the rules.
  ///
  /// - Throws: `LocatedError` that names the byte and the game.
  public static func read(_ path: String) throws -> GameRecordFile {
    let file = try InputFile(path: path)
    try Memory.require(
      file.byteCount, for: "the games", path: path,
      remedy: "record fewer games in a file, or free some memory")
    var reader = Reader(file)
    let header = try reader.header()
    var entries: [[Entry]] = header.players.map { _ in [] }
    let counts = header.gameCounts
    for game in 0..<header.games {
      for player in header.players.indices where game < counts[player] {
        entries[player].append(try reader.entry(game: game, player: player, header))
      }
    }
    try reader.requireEnd()
    return GameRecordFile(header: header, entries: entries)
  }

  /// Returns a game at its start, after checking that it follows the rules and ends with the recorded score.
  ///
  /// - Throws: `LocatedError` if the game is invalid.
  /// - Precondition: The file contains the player and the game.
  public func replay(player: Int, game: Int, path: String) throws -> GameReplay {
    let entry = entries[player][game]
    do {
      let start = try GameReplay(entry.record, rules: rules)
      var replay = start
      while try replay.step() != nil {}
      guard replay.score == entry.score else {
        throw LocatedError.damaged(
          path, placeOfGame(game, header.players[player]),
          "its moves score \(NumberText.grouped(replay.score)) points, but "
            + "\(NumberText.grouped(entry.score)) are recorded",
          remedy: GameRecordFile.remedy)
      }
      return start
    } catch let error as GameRecordError {
      throw LocatedError.damaged(
        path, placeOfGame(game, header.players[player]), "\(error)", remedy: GameRecordFile.remedy)
    }
  }

  /// Returns the first board with all of some tiles in every game that has one, game by game.
  ///
  /// Boards without a legal move are left out.
  ///
  /// - Parameters:
  ///   - exponents: The exponents of the tiles.
  ///   - path: The path of the file, for messages.
  /// - Throws: `LocatedError` if a game is invalid.
  public func firstBoards(
    with exponents: [Int], path: String
  ) throws -> [(player: Int, game: Int, board: Board)] {
    var boards: [(player: Int, game: Int, board: Board)] = []
    for game in 0..<header.games {
      for player in header.players.indices where game < entries[player].count {
        var replay = try replay(player: player, game: game, path: path)
        while !replay.board.hasTiles(exponents), try replay.step() != nil {}
        let board = replay.board
        guard board.hasTiles(exponents), !rules.isOver(board) else { continue }
        boards.append((player, game, board))
      }
    }
    return boards
  }

  /// Returns whether a file is one of recorded games, by its first bytes. Anything but a regular file, such
  /// as a pipe, is not.
  ///
  /// - Throws: `LocatedError` if the file cannot be read.
  public static func isRecord(_ path: String) throws -> Bool {
    guard PathLookup.isRegularFile(path) else { return false }
    let file = try InputFile(path: path)
    return try file.byteCount >= magic.count && file.bytes(at: 0, count: magic.count) == magic
  }

  fileprivate static let remedy = "record the games again, or copy the file again"
}

/// Returns the name of a game in error messages, which number games from 1.
private func placeOfGame(_ game: Int, _ player: String) -> String {
  "game \(game + 1) of \(player)"
}

/// Reads the parts of a file in order.
private struct Reader {
  private let file: InputFile
  private var offset = 0
  /// The first byte of the item that is being read: the header or an entry.
  private var itemStart = 0
  /// The bytes from `partStart` on, with at least those of the item so far.
  private var part: [UInt8] = []
  private var partStart = 0

  init(_ file: InputFile) {
    self.file = file
  }

  mutating func header() throws -> GameRecordFile.Header {
    let place = "the header"
    guard file.byteCount >= GameRecordFile.magic.count,
      try take(GameRecordFile.magic.count, place).elementsEqual(GameRecordFile.magic)
    else { throw damaged(at: 0, nil, "this is not a file of recorded games") }
    let version = try number(place)
    guard (1...2).contains(version) else {
      throw damaged(
        at: offset - 4, nil,
        "the format version is \(version), and this program reads versions 1 and 2")
    }
    let length = Int(try number(place))
    try InputLimit.recordingHeader.require(
      length, path: file.path, place: "\(place), byte \(offset - 4)")
    let text = Data(try take(length, place))
    try requireChecksum(place)
    guard let header = try? JSONDecoder().decode(GameRecordFile.Header.self, from: text),
      (2...4).contains(header.boardSize), (0...1).contains(header.fourProbability),
      header.games >= 0, !header.players.isEmpty, header.version == version,
      header.hasValidCounts
    else { throw damaged(at: 16, place, "its content is invalid") }
    var most = (file.byteCount - offset) / Reader.leastEntryBytes
    for games in header.gameCounts {
      guard games <= most else { throw damaged(at: file.byteCount, nil, "the file ends too early") }
      most -= games
    }
    return header
  }

  /// The bytes of an entry with an empty record.
  private static let leastEntryBytes = 20

  mutating func entry(
    game: Int, player: Int, _ header: GameRecordFile.Header
  ) throws -> GameRecordFile.Entry {
    itemStart = offset
    let place = placeOfGame(game, header.players[player])
    let (gameFound, playerFound) = (try number(place), try number(place))
    let score = try number(place)
    let length = Int(try number(place))
    try InputLimit.recordedGame.require(
      length, path: file.path, place: "\(place), byte \(offset - 4)")
    let record = Array(try take(length, place))
    try requireChecksum(place)
    guard gameFound == game, playerFound == player else {
      throw damaged(at: itemStart, place, "the file has another game here")
    }
    return GameRecordFile.Entry(score: Int(score), record: GameRecord(bytes: record))
  }

  func requireEnd() throws {
    if offset < file.byteCount {
      throw damaged(at: offset, nil, "the file has further bytes after its games")
    }
  }

  private mutating func number(_ place: String) throws -> UInt32 {
    UInt32(littleEndianBytes: try take(4, place))
  }

  private mutating func take(_ count: Int, _ place: String) throws -> ArraySlice<UInt8> {
    guard count <= file.byteCount - offset else {
      throw damaged(at: file.byteCount, place, "the file ends too early")
    }
    let end = offset + count
    if end > partStart + part.count {
      // Many games at once, because most are short.
      let length = min(max(1 << 16, end - itemStart), file.byteCount - itemStart)
      part = try file.bytes(at: itemStart, count: length)
      partStart = itemStart
    }
    defer { offset = end }
    return part[(offset - partStart)..<(end - partStart)]
  }

  private mutating func requireChecksum(_ place: String) throws {
    let end = offset
    let stated = try number(place)
    let bytes = part[(itemStart - partStart)..<(end - partStart)]
    guard stated == crc32C(bytes) else {
      throw damaged(
        at: itemStart, place, "the checksum of its \(bytes.count) bytes does not match")
    }
  }

  private func damaged(at byte: Int, _ place: String?, _ problem: String) -> LocatedError {
    let places = [place, "byte \(byte)"].compactMap { $0 }
    return .damaged(
      file.path, places.joined(separator: ", "), problem, remedy: GameRecordFile.remedy)
  }
}

extension GameRecordFile.Header {
  /// Whether ``gamesPerPlayer`` has a number of games for each player, and ``games`` is the largest of them.
  fileprivate var hasValidCounts: Bool {
    guard let gamesPerPlayer else { return true }
    return gamesPerPlayer.count == players.count && gamesPerPlayer.allSatisfy { $0 >= 0 }
      && gamesPerPlayer.max() == games
  }
}

extension Board {
  /// Returns whether the board has at least one tile of each of these exponents.
  fileprivate func hasTiles(_ exponents: [Int]) -> Bool {
    let cells = TileCells(of: self)
    return exponents.allSatisfy { cells[$0] != 0 }
  }
}
