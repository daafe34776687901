extension ArenaResult {
  /// The results as CSV text, with one line per game and contestant.
  ///
  /// The columns are `game` (from 1), `player`, `score`, `moves`, `largestTile` and `seconds`. Fields that
  /// contain a comma, a quotation mark or a line break are quoted.
  ///
  /// Source: RFC 4180.
  public var csv: String {
    var lines = ["game,player,score,moves,largestTile,seconds"]
    let names = contestants.map(ArenaResult.field)
    for game in 0..<games {
      for (name, results) in zip(names, results) {
        let result = results[game]
        lines.append(
          "\(game + 1),\(name),\(result.score),\(result.moves),\(1 << result.largestExponent),"
            + "\(result.seconds)")
      }
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  private static func field(_ text: String) -> String {
    guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
