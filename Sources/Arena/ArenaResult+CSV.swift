extension ArenaResult {
  /// The results as CSV text, with one line per game and contestant.
  ///
  /// The columns are `game` (from 1), `player`, `score`, `moves`, `largestTile` and `seconds`, and for games
  /// from given boards `start`. Fields that contain a comma, a quotation mark or a line break are quoted.
  ///
  /// Source: RFC 4180.
  public var csv: String {
    let hasStarts = results.joined().contains { $0.start != nil }
    var lines = ["game,player,score,moves,largestTile,seconds" + (hasStarts ? ",start" : "")]
    let names = contestants.map(ArenaResult.field)
    for game in 0..<games {
      for (name, results) in zip(names, results) {
        let result = results[game]
        lines.append(
          "\(game + 1),\(name),\(result.score),\(result.moves),\(1 << result.largestExponent),"
            + "\(result.seconds)" + (hasStarts ? ",\(result.start?.text ?? "")" : ""))
      }
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  private static func field(_ text: String) -> String {
    guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
