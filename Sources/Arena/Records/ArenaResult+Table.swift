import Basics

extension ArenaResult {
  /// The columns of ``csv``. A last column `start` follows for games from given boards.
  static let columns = [
    "game", "player", "score", "moves", "largestTile", "seconds", "seed", "weights",
  ]

  /// The results as comma-separated values, with one line per game and contestant.
  ///
  /// The columns are `game` (from 1), `player`, `score`, `moves`, `largestTile`, `seconds`, `seed`, `weights` (the
  /// checksum of the player's weights, if it has any), and for games from given boards `start`.
  /// ``EarlierGames`` reads them.
  public var csv: String {
    let hasStarts = results.joined().contains { $0.start != nil }
    let columns = ArenaResult.columns + (hasStarts ? ["start"] : [])
    var lines = [columns.joined(separator: ",")]
    let names = contestants.map(CommaSeparatedValues.field)
    for game in 0..<games {
      for (player, name) in names.enumerated() {
        let result = results[player][game]
        lines.append(
          "\(game + 1),\(name),\(result.score),\(result.moves),\(1 << result.largestExponent),"
            + "\(result.seconds),\(seed),\(weights[player] ?? "")"
            + (hasStarts ? ",\(result.start?.text ?? "")" : ""))
      }
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }
}
