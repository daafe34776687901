import Basics
import Foundation
import Game2048
import ModelFiles

/// A file of recorded games: several players' games on the same seeds, in a byte or so a move.
///
/// All numbers are little-endian:
/// ```
/// 8 bytes  "2048GAME"
/// 4 bytes  the version of the format, 1
/// 4 bytes  the length n of the header
/// n bytes  the header, JSON: see ``Header``
/// 4 bytes  CRC-32C of everything before
/// ```
/// and then, for each game and for each player within it, in order:
/// ```
/// 4 bytes  the number of the game, from 0
/// 4 bytes  the player, its place in the header
/// 4 bytes  the score
/// 4 bytes  the length n of the record
/// n bytes  the record: see ``GameRecord``
/// 4 bytes  CRC-32C of this game's bytes before
/// ```
public struct GameRecordFile: Hashable, Sendable {
  static let magic = Array("2048GAME".utf8)
  static let version: UInt32 = 1

  /// What the games have in common.
  public struct Header: Hashable, Codable, Sendable {
    public var boardSize: Int
    public var fourProbability: Double
    /// The seed of the spawns.
    public var seed: UInt64
    public var players: [String]
    /// The games of each player.
    public var games: Int

    public init(
      boardSize: Int, fourProbability: Double, seed: UInt64, players: [String], games: Int
    ) {
      self.boardSize = boardSize
      self.fourProbability = fourProbability
      self.seed = seed
      self.players = players
      self.games = games
    }
  }

  /// One game of one player.
  public struct Entry: Hashable, Sendable {
    public var score: Int
    public var record: GameRecord

    public init(score: Int, record: GameRecord) {
      self.score = score
      self.record = record
    }
  }

  public let header: Header
  /// The games, `[player][game]`.
  public let entries: [[Entry]]

  /// - Precondition: there is one list for each player of the header, each of the header's games.
  public init(header: Header, entries: [[Entry]]) {
    precondition(
      entries.count == header.players.count && entries.allSatisfy { $0.count == header.games },
      "as many games as the header says")
    self.header = header
    self.entries = entries
  }

  /// The rules of the games.
  public var rules: Rules {
    Rules(size: header.boardSize, fourProbability: header.fourProbability)
  }

  // MARK: Writing

  /// Writes the file in place of another, complete or not at all.
  ///
  /// - Throws: ``LocatedError``.
  public func write(to path: String) throws {
    var bytes = GameRecordFile.magic
    let text = Array(try HeaderJSON.encode(header, "header", path: path).utf8)
    bytes.append(littleEndian: GameRecordFile.version)
    bytes.append(littleEndian: UInt32(text.count))
    bytes += text
    bytes.append(littleEndian: CRC32C.checksum(bytes))
    let file = try AtomicFile(path: path)
    var offset = 0
    func writeBytes() throws {
      unsafe try bytes.withUnsafeBytes { unsafe try file.write($0, at: offset) }
      offset += bytes.count
      bytes.removeAll(keepingCapacity: true)
    }
    try writeBytes()
    for game in 0..<header.games {
      for player in header.players.indices {
        let entry = entries[player][game]
        let start = bytes.count
        for number in [game, player, entry.score, entry.record.bytes.count] {
          bytes.append(littleEndian: UInt32(number))
        }
        bytes += entry.record.bytes
        bytes.append(littleEndian: CRC32C.checksum(bytes[start...]))
        // The games may be most of the memory: a second copy need not be.
        if bytes.count >= 1 << 20 { try writeBytes() }
      }
    }
    try writeBytes()
    try file.commit()
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian value: UInt32) {
    for byte in 0..<4 { append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
  }
}
