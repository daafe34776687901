import Basics
import Foundation
import Game2048
import ModelFiles

/// A file of recorded games of several players on the same seeds, with about one byte per move.
///
/// All numbers are little-endian:
/// ```
/// 8 bytes  "2048GAME"
/// 4 bytes  the version of the format, 1
/// 4 bytes  the length n of the header
/// n bytes  the header as JSON, see ``Header``
/// 4 bytes  the CRC-32C of all bytes before
/// ```
/// Then follows one record per game and player, game by game:
/// ```
/// 4 bytes  the number of the game, from 0
/// 4 bytes  the index of the player in the header
/// 4 bytes  the score
/// 4 bytes  the length n of the record
/// n bytes  the record, see `GameRecord`
/// 4 bytes  the CRC-32C of the bytes of this record before
/// ```
public struct GameRecordFile: Hashable, Sendable {
  static let magic = Array("2048GAME".utf8)
  static let version: UInt32 = 1

  /// The properties that all games of a file share.
  public struct Header: Hashable, Codable, Sendable {
    /// The number of rows and columns of the board.
    public var boardSize: Int
    /// The probability that a spawned tile is a 4.
    public var fourProbability: Double
    /// The seed of the spawns.
    public var seed: UInt64
    /// The names of the players.
    public var players: [String]
    /// The number of games of each player.
    public var games: Int
  }

  /// One game of one player.
  public struct Entry: Hashable, Sendable {
    /// The final score in points.
    public var score: Int
    /// The game move by move.
    public var record: GameRecord
  }

  /// The properties that all games share.
  public let header: Header
  /// The games, `[player][game]`.
  public let entries: [[Entry]]

  /// Creates the content of a file.
  ///
  /// - Precondition: There is one list of games per player, with as many games as the header states.
  init(header: Header, entries: [[Entry]]) {
    precondition(
      entries.count == header.players.count && entries.allSatisfy { $0.count == header.games },
      "as many games as the header says")
    self.header = header
    self.entries = entries
  }

  /// Creates the file of the games of an arena run.
  ///
  /// - Precondition: The games were recorded.
  public init(_ result: ArenaResult, rules: Rules) {
    self.init(
      header: Header(
        boardSize: rules.size, fourProbability: rules.fourProbability, seed: result.seed,
        players: result.contestants, games: result.games),
      entries: result.results.map { games in
        games.map { Entry(score: $0.score, record: $0.record!) }
      })
  }

  /// Creates the file of a single game.
  public init(
    _ record: GameRecord, score: Int, rules: Rules, seed: UInt64, player: String
  ) {
    self.init(
      header: Header(
        boardSize: rules.size, fourProbability: rules.fourProbability, seed: seed,
        players: [player], games: 1),
      entries: [[Entry(score: score, record: record)]])
  }

  /// Creates the file of the first games, up to one that a player has not played, or whose moves are unknown.
  public init(_ table: GameTable, rules: Rules) {
    let games = table.players.map { player in
      player.games.enumerated().prefix { $0 == $1.number && $1.result.record != nil }
        .map(\.element.result)
    }
    let count = games.map(\.count).min() ?? 0
    self.init(
      ArenaResult(
        seed: table.seed, contestants: table.players.map(\.name),
        results: games.map { Array($0.prefix(count)) }), rules: rules)
  }

  /// The rules of the games.
  public var rules: Rules {
    Rules(size: header.boardSize, fourProbability: header.fourProbability)
  }

  // MARK: Writing

  /// Writes the file atomically: it replaces an existing file only when it is complete.
  ///
  /// - Throws: `LocatedError` if the file cannot be written.
  public func write(to path: String) throws {
    var bytes = GameRecordFile.magic
    let text = Array(try header.metadataText("header", path: path).utf8)
    bytes += GameRecordFile.version.littleEndianBytes + UInt32(text.count).littleEndianBytes
    bytes += text
    bytes += crc32C(bytes).littleEndianBytes
    let file = try AtomicFile(path: path)
    var offset = 0
    func writeBytes() throws {
      try file.write(bytes, at: offset)
      offset += bytes.count
      bytes.removeAll(keepingCapacity: true)
    }
    try writeBytes()
    for game in 0..<header.games {
      for player in header.players.indices {
        let entry = entries[player][game]
        let start = bytes.count
        for number in [game, player, entry.score, entry.record.bytes.count] {
          bytes += UInt32(number).littleEndianBytes
        }
        bytes += entry.record.bytes
        bytes += crc32C(bytes[start...]).littleEndianBytes
        // Written in parts, because the games may fill most of the memory.
        if bytes.count >= 1 << 20 { try writeBytes() }
      }
    }
    try writeBytes()
    try file.commit()
  }
}
