/// The results of an arena run.
public struct ArenaResult: Sendable {
  /// The seed of the spawns.
  public let seed: UInt64
  /// The contestants' names.
  public let contestants: [String]
  /// The results, `[contestant][game]`; all contestants have played the same games.
  public let results: [[GameResult]]
  /// The stopping rule after the last game that it judged; nil if the run had none.
  public let stopping: StoppingRule?

  /// The number of games that every contestant has played.
  public var games: Int { results.first?.count ?? 0 }

  /// Creates the results of a run.
  ///
  /// - Precondition: There is one list of results per contestant, and all lists have the same length.
  public init(
    seed: UInt64, contestants: [String], results: [[GameResult]], stopping: StoppingRule? = nil
  ) {
    precondition(contestants.count == results.count, "one list of results for each contestant")
    precondition(Set(results.map(\.count)).count <= 1, "all contestants play the same games")
    self.seed = seed
    self.contestants = contestants
    self.results = results
    self.stopping = stopping
  }

  /// Joins the results of several runs as if all their contestants had played in one.
  ///
  /// - Parameter parts: The results, from runs with the same rules.
  /// - Precondition: `parts` is not empty, and all parts have the same seed and number of games.
  public init(joining parts: [ArenaResult]) {
    precondition(Set(parts.map(\.seed)).count == 1, "one seed for all")
    self.init(
      seed: parts[0].seed, contestants: parts.flatMap(\.contestants),
      results: parts.flatMap(\.results))
  }

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
