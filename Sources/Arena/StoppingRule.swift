/// A rule that ends an arena run once every comparison is decided.
///
/// Each of the `k` pairs of players has a `SequentialTest` with error rate α/k, so that all verdicts are
/// correct with probability at least 1 − α. Games are judged in order of their numbers, not in the order in
/// which threads finish them. The number of games played therefore does not depend on the threads.
public struct StoppingRule: Sendable {
  /// The decision about one pair of players.
  public struct Decision: Hashable, Sendable {
    /// The index of the first player.
    public let a: Int
    /// The index of the second player.
    public let b: Int
    /// The index of the better player; nil if the comparison is undecided.
    public internal(set) var better: Int?
    /// The number of games after which the comparison was decided; nil if it is undecided.
    public internal(set) var games: Int?
  }

  /// The upper bound of the probability that any verdict is wrong, α.
  public let errorRate: Double
  /// The decisions on all pairs of players, in the order (0, 1), (0, 2), …
  public private(set) var decisions: [Decision] = []
  private var tests: [SequentialTest] = []
  /// The number of games judged so far.
  public private(set) var games = 0

  /// Creates a rule for a number of players.
  ///
  /// - Precondition: `players` is at least 2; `errorRate` is above 0 and below 1.
  public init(players: Int, errorRate: Double) {
    precondition(players >= 2, "a comparison takes two players")
    self.errorRate = errorRate
    decisions = pairs(players).map { Decision(a: $0, b: $1) }
    tests = decisions.map { _ in SequentialTest(errorRate: errorRate / Double(decisions.count)) }
  }

  /// Whether all comparisons are decided.
  public var isDecided: Bool { decisions.allSatisfy { $0.games != nil } }

  /// Judges the next game, given the score of each player.
  mutating func add(_ scores: [Int]) {
    games += 1
    for (place, pair) in decisions.enumerated() where pair.games == nil {
      tests[place].add(Double(scores[pair.a] - scores[pair.b]))
      if tests[place].verdict == .undecided { continue }
      decisions[place].better = tests[place].verdict == .positive ? pair.a : pair.b
      decisions[place].games = games
    }
  }
}
