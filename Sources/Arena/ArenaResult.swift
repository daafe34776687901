/// The results of an arena run.
public struct ArenaResult: Sendable {
  /// The seed of the spawns.
  public let seed: UInt64
  /// The contestants' names.
  public let contestants: [String]
  /// The checksums of the weights of the contestants' networks; nil for those without one.
  public let weights: [String?]
  /// The results, `[contestant][game]`; all contestants have played the same games.
  public let results: [[GameResult]]
  /// The stopping rule after the last game that it judged; nil if the run had none.
  public let stopping: StoppingRule?

  /// The number of games that every contestant has played.
  public var games: Int { results.first?.count ?? 0 }

  /// Creates the results of a run.
  ///
  /// - Parameters:
  ///   - seed: The seed of the spawns.
  ///   - contestants: The contestants' names.
  ///   - weights: The checksums of the weights of the contestants' networks; nil for none at all.
  ///   - results: The results, `[contestant][game]`.
  ///   - stopping: The stopping rule after the last game that it judged; nil if the run had none.
  /// - Precondition: There is one list of results per contestant, and all lists have the same length.
  public init(
    seed: UInt64, contestants: [String], weights: [String?]? = nil, results: [[GameResult]],
    stopping: StoppingRule? = nil
  ) {
    let weights = weights ?? contestants.map { _ in nil }
    precondition(contestants.count == results.count, "one list of results for each contestant")
    precondition(contestants.count == weights.count, "one checksum or nil for each contestant")
    precondition(Set(results.map(\.count)).count <= 1, "all contestants play the same games")
    self.seed = seed
    self.contestants = contestants
    self.weights = weights
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
      weights: parts.flatMap(\.weights), results: parts.flatMap(\.results))
  }
}
