/// The results of an arena's games.
public struct ArenaResult: Sendable {
  public let seed: UInt64
  /// The contestants' names.
  public let contestants: [String]
  /// The results, `[contestant][game]`; all contestants have played the same games.
  public let results: [[GameResult]]
  /// What a rule that could end the games has found, if there was one.
  public let stopping: StoppingRule?

  /// The number of games that every contestant has played.
  public var games: Int { results.first?.count ?? 0 }

  /// - Precondition: there is one list for each contestant, and all are of one length.
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

  /// The results of several arenas of the same seed, rules and number of games, as if all their
  /// contestants had played in one.
  ///
  /// - Precondition: `parts` is not empty, and they are alike.
  public init(joining parts: [ArenaResult]) {
    precondition(Set(parts.map(\.seed)).count == 1, "one seed for all")
    self.init(
      seed: parts[0].seed, contestants: parts.flatMap(\.contestants),
      results: parts.flatMap(\.results))
  }
}
