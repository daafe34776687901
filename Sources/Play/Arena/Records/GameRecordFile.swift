import Basics
import Foundation
import Game2048
import ModelFiles

/// A file of recorded games of several players on the same seeds, with about one byte per move.
///
/// It has the first games of each player. A player may have more of them than another, for example because an
/// evaluation was resumed with further players.
///
/// All numbers are little-endian:
/// ```
/// 8 bytes  "2048GAME"
/// 4 bytes  the version of the format: 1, or 2 if the header has `gamesPerPlayer`
/// 4 bytes  the length n of the header
/// n bytes  the header as JSON, see ``Header``
/// 4 bytes  the CRC-32C of all bytes before
/// ```
/// Then follows one record per game and player that has it, game by game:
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
    /// The number of games of each player; if they have different numbers of games, the largest.
    public var games: Int
    /// The number of games of each player, in the order of the players; nil if all have ``games``.
    public var gamesPerPlayer: [Int]?

    /// The number of games of each player, in the order of the players.
    public var gameCounts: [Int] { gamesPerPlayer ?? players.map { _ in games } }

    /// The version of the format of a file with this header. Programs that read only version 1 reject version 2.
    var version: UInt32 { gamesPerPlayer == nil ? 1 : 2 }
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
    precondition(entries.map(\.count) == header.gameCounts, "as many games as the header says")
    self.header = header
    self.entries = entries
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

  /// Creates the file of the first games of each player, up to one that is missing or whose moves are unknown.
  ///
  /// Players without such a game are left out, unless nobody has one.
  ///
  /// - Parameters:
  ///   - table: The games. They replace those of the same numbers in `former`.
  ///   - former: The file that this one replaces. All its games are kept, also those of players that are not in the
  ///     table.
  /// - Precondition: Both have the same seed and rules.
  public init(_ table: GameTable, keeping former: GameRecordFile? = nil) {
    var players: [(name: String, entries: [Entry])] = []
    for player in table.players {
      var entries = former?.entries(of: player.name) ?? []
      for game in player.games where game.number <= entries.count {
        guard let record = game.result.record else { continue }
        let entry = Entry(score: game.result.score, record: record)
        if game.number < entries.count {
          entries[game.number] = entry
        } else {
          entries.append(entry)
        }
      }
      players.append((player.name, entries))
    }
    if let former {
      precondition(
        former.header.seed == table.seed && table.rules == former.rules,
        "one seed and one game for all")
      for (name, entries) in zip(former.header.players, former.entries)
      where table.player(named: name) == nil {
        players.append((name, entries))
      }
    }
    let recorded = players.filter { !$0.entries.isEmpty }
    if !recorded.isEmpty { players = recorded }
    let counts = players.map(\.entries.count)
    self.init(
      header: Header(
        boardSize: table.rules.size, fourProbability: table.rules.fourProbability, seed: table.seed,
        players: players.map(\.name), games: counts.max() ?? 0,
        gamesPerPlayer: Set(counts).count > 1 ? counts : nil),
      entries: players.map(\.entries))
  }

  /// Returns the games of a player; nil if the file has no such player.
  func entries(of player: String) -> [Entry]? {
    header.players.firstIndex(of: player).map { entries[$0] }
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
    bytes += header.version.littleEndianBytes + UInt32(text.count).littleEndianBytes
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
      for player in header.players.indices where game < entries[player].count {
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

extension GameRecordFile {
  /// Returns the indices of a player and of a game.
  ///
  /// - Parameters:
  ///   - number: The number of the game, from 1.
  ///   - player: The name of the player; nil for the first.
  ///   - path: The path of the file, for messages.
  /// - Throws: `LocatedError` of kind `usage` if there is none.
  public func place(
    ofGame number: Int, player: String?, path: String
  ) throws(LocatedError) -> (player: Int, game: Int) {
    let names = header.players
    guard let place = player.map({ names.firstIndex(of: $0) }) ?? 0 else {
      throw LocatedError(
        .usage, path: path, "no games of '\(player ?? "")'",
        remedy: "players: \(names.joined(separator: ", "))")
    }
    let last = entries[place].count
    guard number >= 1, number <= last else {
      throw LocatedError(
        .usage, path: path, "no game \(NumberText.grouped(number))",
        remedy: "the last is \(NumberText.grouped(last))")
    }
    return (place, number - 1)
  }
}
