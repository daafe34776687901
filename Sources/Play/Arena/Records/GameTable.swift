import Basics
import Foundation
import Game2048
import NTupleNetwork
import Search

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
  ///   - record: The record; it may lack games and players. Nil if there is none, which has no games.
  ///   - path: The path of the record, for messages.
  ///   - ownPath: The path of this table's file.
  /// - Throws: `LocatedError` if it has other games, or games with another seed or other rules.
  public func withMoves(
    of record: GameRecordFile?, path: String, ownPath: String
  ) throws(LocatedError) -> GameTable {
    func other(_ what: String, place: String? = nil) -> LocatedError {
      LocatedError(
        .usage, path: path, place: place, "\(what) than in \(ownPath)",
        remedy: "name the files of one evaluation")
    }
    if let record, record.rules != rules {
      throw other("has games with other rules (\(record.rules.text), not \(rules.text))")
    }
    var table = GameTable(seed: seed, rules: rules)
    for player in players {
      let entries = record?.entries(of: player.name) ?? []
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
    if let record, record.header.seed != seed { throw other("has games of another seed") }
    return table
  }
}

extension GameTable {
  static let columns = [
    "game", "player", "score", "moves", "largestTile", "seconds", "seed", "weights",
  ]
  /// The column of games with other than the usual rules.
  static let rulesColumn = "rules"
  /// The column of games from given boards.
  static let startColumn = "start"

  // MARK: Writing

  /// Writes the file atomically: it replaces an existing file only when it is complete.
  ///
  /// - Throws: `LocatedError` if the file cannot be written.
  public func write(to path: String) throws {
    let hasStarts = players.contains { $0.games.contains { $0.result.start != nil } }
    let names = players.map { CommaSeparatedValues.field($0.name) }
    // Files of the usual rules have no column for them, so that programs without this column read them.
    let hasRules = rules != .standard
    let endings = players.map {
      ",\(seed),\(CommaSeparatedValues.field($0.weights ?? ""))"
        + (hasRules ? ",\(rules.text)" : "")
    }
    let columns =
      GameTable.columns + (hasRules ? [GameTable.rulesColumn] : [])
      + (hasStarts ? [GameTable.startColumn] : [])
    var text = columns.joined(separator: ",") + "\r\n"
    let file = try AtomicFile(path: path)
    var offset = 0
    func writeText() throws {
      let bytes = Array(text.utf8)
      try file.write(bytes, at: offset)
      offset += bytes.count
      text = ""
    }
    // The place of each player's next game.
    var next = players.map { _ in 0 }
    func nextNumber(_ player: Int) -> Int? {
      let games = players[player].games
      return next[player] < games.count ? games[next[player]].number : nil
    }
    while let number = players.indices.compactMap(nextNumber).min() {
      for player in players.indices where nextNumber(player) == number {
        let result = players[player].games[next[player]].result
        text +=
          "\(number + 1),\(names[player]),\(result.score),\(result.moves),"
          + "\(1 << result.largestExponent),\(result.seconds)\(endings[player])"
          + (hasStarts ? ",\(result.start?.text ?? "")" : "") + "\r\n"
        next[player] += 1
      }
      // Written in parts, because the games may fill most of the memory.
      if text.utf8.count >= 1 << 20 { try writeText() }
    }
    try writeText()
    try file.commit()
  }

  // MARK: Reading

  /// Reads a file. Names of players must not contain line breaks.
  ///
  /// - Throws: `LocatedError` that names the line.
  public init(path: String) throws(LocatedError) {
    let data = try TextFile.read(path, limit: .gameTable)
    var table: GameTable?
    var places: [String: Int] = [:]
    var (hasRules, hasStarts) = (false, false)
    for (number, text) in try TextFile.lines(of: data, limit: .gameTableLine, name: path) {
      func wrong(_ problem: String, _ remedy: String) -> LocatedError {
        .damaged(path, "line \(number)", problem, remedy: remedy)
      }
      let fields = CommaSeparatedValues.fields(of: text) ?? []
      if number == 1 {
        hasStarts = fields.last == GameTable.startColumn
        var columns = hasStarts ? fields.dropLast() : fields[...]
        hasRules = columns.last == GameTable.rulesColumn
        if hasRules { columns.removeLast() }
        guard Array(columns) == GameTable.columns else {
          throw wrong(
            "the columns are not \(GameTable.columns.joined(separator: ","))",
            "name a file that this version has written, or a new one")
        }
        continue
      }
      let correct = "correct or delete the line, or name another file"
      guard let row = Row(fields, hasRules: hasRules, hasStart: hasStarts) else {
        throw wrong("it has no game of an evaluation", correct)
      }
      let seed = table?.seed ?? row.seed
      guard row.seed == seed else {
        throw wrong("its seed is \(row.seed), and that of the first game is \(seed)", correct)
      }
      if table == nil { table = GameTable(seed: seed, rules: row.rules) }
      guard row.rules == table!.rules else {
        throw wrong(
          "its rules are \(row.rules.text), and those of the first game are \(table!.rules.text)",
          correct)
      }
      let place = places[row.player] ?? table!.players.count
      if place == table!.players.count {
        places[row.player] = place
        table!.players.append(Player(name: row.player, weights: row.weights))
      }
      guard row.weights == table!.players[place].weights else {
        throw wrong("the weights are not those of the player's first game", correct)
      }
      let last = table!.players[place].games.last?.number ?? -1
      guard row.game.number > last else {
        throw wrong("game \(row.game.number + 1) follows game \(last + 1)", correct)
      }
      table!.players[place].games.append(row.game)
    }
    guard let table else {
      throw .damaged(path, nil, "has no games", remedy: "delete it, or name another file")
    }
    self = table
  }

  /// A line of the file.
  private struct Row {
    var game: Game
    var player: String
    var seed: UInt64
    var weights: String?
    var rules = Rules.standard

    init?(_ fields: [String], hasRules: Bool, hasStart: Bool) {
      guard fields.count == GameTable.columns.count + (hasRules ? 1 : 0) + (hasStart ? 1 : 0),
        let number = Int(fields[0]), number > 0,
        let score = Int(fields[2]), InputLimit.countOfEpisode.allows(score),
        let moves = Int(fields[3]), InputLimit.countOfEpisode.allows(moves),
        let tile = UInt32(fields[4]), tile > 1, tile.nonzeroBitCount == 1,
        let seconds = Double(fields[5]), seconds.isFinite, seconds >= 0,
        let seed = UInt64(fields[6])
      else { return nil }
      let start = hasStart ? try? Board(text: fields.last!) : nil
      if hasStart, start == nil { return nil }
      if hasRules {
        guard let rules = Rules(text: fields[8]) else { return nil }
        self.rules = rules
      }
      let result = GameResult(
        // Earlier versions merged two tiles of 131072 of a given board.
        score: score, moves: moves, largestExponent: tile.trailingZeroBitCount, seconds: seconds,
        start: start)
      (game, player, self.seed) = (Game(number: number - 1, result: result), fields[1], seed)
      weights = fields[7].isEmpty ? nil : fields[7]
    }
  }
}

extension NTupleNetwork {
  /// Plays games `0..<games` greedily, and counts how often each weight is read for the evaluated afterstates.
  ///
  /// - Returns: The number of reads of each weight, in memory order. Counts stop at 2^24.
  /// - Complexity: O(moves), and as much memory as the weights.
  public func readCounts(
    greedyGames games: Int, seed: UInt64, rules: Rules,
    progress: (_ gamesDone: Int) -> Void = { _ in }
  ) -> SharedWeights {
    let counts = SharedWeights(count: weights.count)
    let player = CountingPlayer(
      player: GreedyNetworkPlayer(network: self, rules: rules), counts: counts)
    for game in 0..<games {
      _ = GameResult(of: player, spawns: GameSpawns(seed: seed, game: game), rules: rules)
      progress(game + 1)
    }
    return counts
  }
}

/// A greedy player that counts its reads of each weight.
private struct CountingPlayer: Player {
  let player: GreedyNetworkPlayer<NTupleNetwork>
  let counts: SharedWeights

  var name: String { player.name }

  func decide(on board: Board) -> Decision {
    let decision = player.decide(on: board)
    for move in decision.moves where move.legal {
      player.network.countReads(
        ofPlanes: player.network.planes(of: move.afterstate), in: counts)
    }
    return decision
  }
}
