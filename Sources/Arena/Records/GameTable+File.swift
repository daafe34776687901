import Basics
import Foundation
import Game2048

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
        let exponent = Int(fields[4]).flatMap(Board.exponent(ofTile:)), exponent > 0,
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
        score: score, moves: moves, largestExponent: exponent, seconds: seconds, start: start)
      (game, player, self.seed) = (Game(number: number - 1, result: result), fields[1], seed)
      weights = fields[7].isEmpty ? nil : fields[7]
    }
  }
}
