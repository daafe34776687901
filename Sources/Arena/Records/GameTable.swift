import Basics
import Game2048

/// Games of several players with the same seed, any of which may be missing: the content of a file of
/// `evaluate --csv`.
///
/// The file has comma-separated values: a line with the names of the columns, and then one line per game and player,
/// game by game. The columns are `game` (from 1), `player`, `score`, `moves`, `largestTile`, `seconds`, `seed`,
/// `weights` (the checksum of the player's weights, if it has any), and for games from given boards `start`.
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
  /// The players, in the order in which they were added.
  public internal(set) var players: [Player] = []

  /// Creates a table without games.
  public init(seed: UInt64) { self.seed = seed }

  /// The largest number of a game, plus 1; 0 without games.
  public var end: Int { players.compactMap { $0.games.last?.number }.max().map { $0 + 1 } ?? 0 }

  /// Returns the player of a name; nil if there is none.
  public func player(named name: String) -> Player? { players.first { $0.name == name } }

  /// Adds the games of another table with the same seed. They replace those of the same numbers.
  public mutating func add(_ other: GameTable) {
    precondition(other.seed == seed, "one seed for all")
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
  ///   - starts: The boards to play from, in turn; empty for whole games.
  ///   - path: The path of the file, for messages.
  /// - Throws: `LocatedError` if they were played with other weights, or from other boards.
  public func games(
    of name: String, weights: String?, starts: [Board], path: String
  ) throws(LocatedError) -> [Game] {
    guard let player = player(named: name) else { return [] }
    func mismatch(_ what: String) -> LocatedError {
      LocatedError(
        .usage, path: path, "has games that \(name) played \(what)",
        remedy: "evaluate with these, or name another file")
    }
    guard player.weights == weights else { throw mismatch("with other weights") }
    for game in player.games {
      let start = starts.isEmpty ? nil : starts[game.number % starts.count]
      guard game.result.start == start else { throw mismatch("from other boards") }
    }
    return player.games
  }

  /// Returns the games that are recorded, with their moves.
  ///
  /// - Parameters:
  ///   - record: The record; it may lack games and players.
  ///   - path: The path of the record, for messages.
  ///   - ownPath: The path of this table's file.
  /// - Throws: `LocatedError` if it has other games.
  public func withMoves(
    of record: GameRecordFile, path: String, ownPath: String
  ) throws(LocatedError) -> GameTable {
    var table = GameTable(seed: seed)
    for player in players {
      let place = record.header.players.firstIndex(of: player.name)
      let entries = place.map { record.entries[$0] } ?? []
      var games: [Game] = []
      for var game in player.games where game.number < entries.count {
        let entry = entries[game.number]
        guard record.header.seed == seed,
          (entry.score, entry.record.moves) == (game.result.score, game.result.moves)
        else {
          throw LocatedError(
            .usage, path: path, place: "game \(game.number + 1) of \(player.name)",
            "is another game than in \(ownPath)", remedy: "name the files of one evaluation")
        }
        game.result.record = entry.record
        games.append(game)
      }
      table.players.append(Player(name: player.name, weights: player.weights, games: games))
    }
    return table
  }
}
