import Basics
import Game2048

/// Games of several players with the same seed and rules, any of which may be missing: the content of a file of
/// `evaluate --csv`.
///
/// The file has comma-separated values: a line with the names of the columns, and then one line per game and player,
/// game by game. The columns are `game` (from 1), `player`, `score`, `moves`, `largestTile`, `seconds`, `seed`,
/// `weights` (the checksum of the player's weights, if it has any), for other than the usual rules `rules` (such as
/// `3x3` or `4x4-0.3`), and for games from given boards `start`.
public struct GameTable: Hashable, Sendable {
  /// A game by its number, from 0.
  public struct Game: Hashable, Sendable {
    public var number: Int
    public var result: GameResult

    public init(number: Int, result: GameResult) {
      self.number = number
      self.result = result
    }
  }

  /// The games of one player.
  public struct Player: Hashable, Sendable {
    public let name: String
    /// The checksum of the player's weights; nil without any.
    public let weights: String?
    /// The games, by increasing number.
    public internal(set) var games: [Game] = []
  }

  /// The seed of the spawns.
  public let seed: UInt64
  public let rules: Rules
  /// The players, in the order in which they were added.
  public internal(set) var players: [Player] = []

  /// Creates a table without games.
  public init(seed: UInt64, rules: Rules = .standard) {
    (self.seed, self.rules) = (seed, rules)
  }

  /// The largest number of a game, plus 1; 0 without games.
  public var end: Int { players.compactMap { $0.games.last?.number }.max().map { $0 + 1 } ?? 0 }

  /// Returns the player of a name; nil if there is none.
  public func player(named name: String) -> Player? { players.first { $0.name == name } }

  /// Adds the games of another table with the same seed and rules. They replace those of the same numbers.
  public mutating func add(_ other: GameTable) {
    precondition(other.seed == seed && other.rules == rules, "one seed and one game for all")
    for player in other.players {
      if let place = players.firstIndex(where: { $0.name == player.name }) {
        players[place] = Player(
          name: player.name, weights: player.weights,
          games: GameTable.union(player.games, players[place].games))
      } else {
        players.append(player)
      }
    }
  }

  /// Returns the games of both lists; of those with the same number, the first list's.
  private static func union(_ first: [Game], _ second: [Game]) -> [Game] {
    let numbers = Set(first.map(\.number))
    let others = second.filter { !numbers.contains($0.number) }
    return others.isEmpty ? first : (first + others).sorted { $0.number < $1.number }
  }

  /// Returns the games of a player.
  ///
  /// - Parameters:
  ///   - name: The player's name.
  ///   - weights: The checksum of the player's weights.
  ///   - rules: The rules of the players.
  ///   - starts: The boards to play from.
  ///   - path: The path of the file, for messages.
  /// - Throws: `LocatedError` if they were played with other weights or from other boards, or if the table has games
  ///   with other rules.
  public func games(
    of name: String, weights: String?, rules: Rules, starts: StartBoards, path: String
  ) throws(LocatedError) -> [Game] {
    guard rules == self.rules else {
      throw LocatedError(
        .usage, path: path,
        "has games with other rules: \(self.rules.text), but the players play \(rules.text)",
        remedy: "evaluate players of these rules, or name another file")
    }
    guard let player = player(named: name) else { return [] }
    func mismatch(_ what: String) -> LocatedError {
      LocatedError(
        .usage, path: path, "has games that \(name) played \(what)",
        remedy: "evaluate with these, or name another file")
    }
    guard player.weights == weights else { throw mismatch("with other weights") }
    for game in player.games
    where game.result.start != starts.board(ofGame: game.number, seed: seed) {
      throw mismatch("from other boards or in another order")
    }
    return player.games
  }

  /// Returns the games that are recorded, with their moves.
  ///
  /// - Parameters:
  ///   - record: The record; it may lack games and players.
  ///   - path: The path of the record, for messages.
  ///   - ownPath: The path of this table's file.
  /// - Throws: `LocatedError` if it has other games, or games with another seed or other rules.
  public func withMoves(
    of record: GameRecordFile, path: String, ownPath: String
  ) throws(LocatedError) -> GameTable {
    func other(_ what: String, place: String? = nil) -> LocatedError {
      LocatedError(
        .usage, path: path, place: place, "\(what) than in \(ownPath)",
        remedy: "name the files of one evaluation")
    }
    guard record.rules == rules else {
      throw other("has games with other rules (\(record.rules.text), not \(rules.text))")
    }
    var table = GameTable(seed: seed, rules: rules)
    for player in players {
      let entries = record.entries(of: player.name) ?? []
      var games: [Game] = []
      for var game in player.games where game.number < entries.count {
        let entry = entries[game.number]
        guard (entry.score, entry.record.moves) == (game.result.score, game.result.moves) else {
          throw other("is another game", place: "game \(game.number + 1) of \(player.name)")
        }
        game.result.record = entry.record
        games.append(game)
      }
      table.players.append(Player(name: player.name, weights: player.weights, games: games))
    }
    guard record.header.seed == seed else { throw other("has games of another seed") }
    return table
  }
}
