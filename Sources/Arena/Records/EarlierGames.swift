import Basics
import Foundation
import Game2048

/// The games of an evaluation that ended early, or that is to have more games, from the file of its ``ArenaResult/csv``.
public struct EarlierGames: Sendable {
  /// A player's first games.
  package struct Player: Sendable {
    /// The checksum of the player's weights; nil without any.
    package fileprivate(set) var weights: String?
    package fileprivate(set) var games: [GameResult] = []
  }

  private let path: String
  /// The seed of the spawns.
  public let seed: UInt64
  /// The games, by the players' names.
  package private(set) var byName: [String: Player] = [:]

  /// The names of all players, sorted.
  public var players: [String] { byName.keys.sorted() }

  /// The number of games of the player with most of them.
  public var games: Int { byName.values.map(\.games.count).max() ?? 0 }

  /// The number of games of all players together.
  public var gamesOfAllPlayers: Int { byName.values.reduce(0) { $0 + $1.games.count } }

  /// Returns the first games that all of some players have.
  ///
  /// - Parameters:
  ///   - contestants: The players' names.
  ///   - weights: The checksums of their weights.
  ///   - starts: The boards to play from, in turn; empty for whole games.
  /// - Throws: `LocatedError` if they were played with other weights, or from other boards.
  public func result(
    of contestants: [String], weights: [String?], starts: [Board]
  ) throws(LocatedError) -> ArenaResult {
    let players = contestants.map { byName[$0] ?? Player() }
    let count = players.map(\.games.count).min() ?? 0
    for (place, player) in players.enumerated() where count > 0 {
      guard player.weights == weights[place] else {
        throw mismatch("has games that \(contestants[place]) played with other weights")
      }
      for (game, result) in player.games.prefix(count).enumerated()
      where result.start != (starts.isEmpty ? nil : starts[game % starts.count]) {
        throw mismatch("has games from other boards")
      }
    }
    return ArenaResult(
      seed: seed, contestants: contestants, weights: weights,
      results: players.map { Array($0.games.prefix(count)) })
  }

  private func mismatch(_ problem: String) -> LocatedError {
    LocatedError(
      .usage, path: path, problem,
      remedy: "evaluate as before, or name another file")
  }

  // MARK: Reading

  /// Reads the games of a file.
  ///
  /// - Throws: `LocatedError` that names the line.
  public init(path: String) throws(LocatedError) {
    self.path = path
    let data = try TextFile.read(path, limit: .gameTable)
    var seed: UInt64?
    var hasStarts = false
    for (number, text) in try TextFile.lines(of: data, limit: .gameTableLine, name: path) {
      func wrong(_ problem: String) -> LocatedError {
        .damaged(path, "line \(number)", problem, remedy: EarlierGames.remedy)
      }
      let fields = CommaSeparatedValues.fields(of: text) ?? []
      if number == 1 {
        hasStarts = fields == ArenaResult.columns + ["start"]
        guard hasStarts || fields == ArenaResult.columns else {
          throw wrong("its columns are not those of --csv")
        }
        continue
      }
      guard let row = Row(fields, hasStart: hasStarts) else {
        throw wrong("it is not a game of an evaluation")
      }
      guard seed == nil || seed == row.seed else { throw wrong("it has another seed") }
      seed = row.seed
      let player = byName[row.player] ?? Player(weights: row.weights)
      guard row.weights == player.weights else { throw wrong("it has other weights") }
      guard row.game == player.games.count + 1 else {
        throw wrong("it is not game \(player.games.count + 1) of \(row.player)")
      }
      byName[row.player, default: player].games.append(row.result)
    }
    guard let seed else { throw .damaged(path, nil, "has no games", remedy: EarlierGames.remedy) }
    self.seed = seed
  }

  private static let remedy = "leave out --resume to play all games again"

  /// A line of the file.
  private struct Row {
    var game: Int
    var player: String
    var seed: UInt64
    var weights: String?
    var result: GameResult

    init?(_ fields: [String], hasStart: Bool) {
      guard fields.count == ArenaResult.columns.count + (hasStart ? 1 : 0),
        let game = Int(fields[0]), let score = Int(fields[2]), let moves = Int(fields[3]),
        let exponent = Int(fields[4]).flatMap(Board.exponent(ofTile:)),
        let seconds = Double(fields[5]), let seed = UInt64(fields[6]),
        InputLimit.countOfEpisode.allows(score), InputLimit.countOfEpisode.allows(moves),
        seconds.isFinite, seconds >= 0
      else { return nil }
      var start: Board?
      if hasStart {
        guard let board = try? Board(text: fields[8]) else { return nil }
        start = board
      }
      (self.game, player, self.seed) = (game, fields[1], seed)
      weights = fields[7].isEmpty ? nil : fields[7]
      result = GameResult(
        score: score, moves: moves, largestExponent: exponent, seconds: seconds, start: start)
    }
  }

  // MARK: Records

  /// Adds the moves of the games, and leaves out games whose moves the record does not have.
  ///
  /// - Parameter recordPath: The path of the record, for messages.
  /// - Throws: `LocatedError` if the record has other games.
  public mutating func addMoves(
    from record: GameRecordFile, path recordPath: String
  ) throws(LocatedError) {
    for name in players {
      let place = record.header.players.firstIndex(of: name)
      let entries = place.map { record.entries[$0] } ?? []
      for game in 0..<min(games, entries.count) where game < byName[name]!.games.count {
        let result = byName[name]!.games[game]
        let entry = entries[game]
        guard record.header.seed == seed,
          (entry.score, entry.record.moves) == (result.score, result.moves)
        else {
          throw LocatedError(
            .usage, path: recordPath, place: "game \(game + 1) of \(name)",
            "is another game than in \(path)",
            remedy: "leave out --resume to play all games again, or name other files")
        }
        byName[name]!.games[game].record = entry.record
      }
      byName[name]!.games.removeSubrange(min(entries.count, byName[name]!.games.count)...)
    }
  }
}
