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
    // Twice the length: for the file, and for the games read from it.
    try Memory.require(
      2 * min(file.byteCount, .max / 2), for: "the games", path: path,
      remedy: "record fewer games in a file, or free some memory")
    var reader = Reader(path: path, bytes: try file.bytes(at: 0, count: file.byteCount))
    let header = try reader.header()
    var entries: [[Entry]] = header.players.map { _ in [] }
    for game in 0..<header.games {
      for player in header.players.indices {
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
          "its moves score \(replay.score) points, but \(entry.score) are recorded",
          remedy: GameRecordFile.remedy)
      }
      return start
    } catch let error as GameRecordError {
      throw LocatedError.damaged(
        path, placeOfGame(game, header.players[player]), "\(error)", remedy: GameRecordFile.remedy)
    }
  }

  /// Returns the first board with a tile of at least `1 << exponent` in every game that has one, game by
  /// game.
  ///
  /// Boards without a legal move are left out.
  ///
  /// - Parameters:
  ///   - exponent: The exponent of the tile.
  ///   - path: The path of the file, for messages.
  /// - Throws: `LocatedError` if a game is invalid.
  public func firstBoards(
    with exponent: Int, path: String
  ) throws -> [(player: Int, game: Int, board: Board)] {
    var boards: [(player: Int, game: Int, board: Board)] = []
    for game in 0..<header.games {
      for player in header.players.indices {
        var replay = try replay(player: player, game: game, path: path)
        do {
          while replay.board.largestTileExponent < exponent, try replay.step() != nil {}
        } catch {
          preconditionFailure("\(error), after the game was checked")
        }
        let board = replay.board
        guard board.largestTileExponent >= exponent, !rules.isOver(board) else { continue }
        boards.append((player, game, board))
      }
    }
    return boards
  }

  /// Returns whether a file is one of recorded games, by its first bytes.
  ///
  /// - Throws: `LocatedError` if the file cannot be read.
  public static func isRecord(_ path: String) throws -> Bool {
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
  let path: String
  let bytes: [UInt8]
  private var offset = 0

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  mutating func header() throws -> GameRecordFile.Header {
    guard bytes.starts(with: GameRecordFile.magic) else {
      throw damaged(at: 0, nil, "this is not a file of recorded games")
    }
    offset = GameRecordFile.magic.count
    let version = try number("the header")
    guard version == GameRecordFile.version else {
      throw damaged(
        at: offset - 4, nil, "the format version is \(version), and this program reads version 1")
    }
    let text = try take(Int(try number("the header")), "the header")
    try requireChecksum(from: 0, "the header")
    guard let header = try? JSONDecoder().decode(GameRecordFile.Header.self, from: Data(text)),
      (2...4).contains(header.boardSize), (0...1).contains(header.fourProbability),
      header.games >= 0, !header.players.isEmpty,
      // Names are printed, and must not contain control sequences for a terminal.
      !header.players.joined().unicodeScalars.contains(where: {
        $0.properties.generalCategory == .control
      })
    else { throw damaged(at: 16, "the header", "its content is invalid") }
    return header
  }

  mutating func entry(
    game: Int, player: Int, _ header: GameRecordFile.Header
  ) throws -> GameRecordFile.Entry {
    let start = offset
    let place = placeOfGame(game, header.players[player])
    let (gameFound, playerFound) = (try number(place), try number(place))
    let score = try number(place)
    let record = try take(Int(try number(place)), place)
    try requireChecksum(from: start, place)
    guard gameFound == game, playerFound == player else {
      throw damaged(at: start, place, "the file has another game here")
    }
    return GameRecordFile.Entry(score: Int(score), record: GameRecord(bytes: Array(record)))
  }

  func requireEnd() throws {
    if offset < bytes.count {
      throw damaged(at: offset, nil, "the file has further bytes after its games")
    }
  }

  private mutating func number(_ place: String) throws -> UInt32 {
    try take(4, place).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private mutating func take(_ count: Int, _ place: String) throws -> ArraySlice<UInt8> {
    guard count <= bytes.count - offset else {
      throw damaged(at: bytes.count, place, "the file ends too early")
    }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  private mutating func requireChecksum(from start: Int, _ place: String) throws {
    let end = offset
    guard try number(place) == CRC32C.checksum(bytes[start..<end]) else {
      throw damaged(at: start, place, "the checksum of its \(end - start) bytes does not match")
    }
  }

  private func damaged(at byte: Int, _ place: String?, _ problem: String) -> LocatedError {
    let places = [place, "byte \(byte)"].compactMap { $0 }
    return .damaged(
      path, places.joined(separator: ", "), problem, remedy: GameRecordFile.remedy)
  }
}
