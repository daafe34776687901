/// Ends an arena's games once every comparison is decided.
///
/// Each of the `k` pairs of players is judged by a ``SequentialTest`` of error rate α/k, so that with
/// probability 1 − α no verdict is wrong. Games are judged in their order, whatever the order in which
/// threads finish them: when the games end does not depend on the threads.
public struct StoppingRule: Sendable {
  /// What was found about one pair of players.
  public struct Decision: Hashable, Sendable {
    /// The players' places; `a` comes first.
    public let a: Int
    public let b: Int
    /// The place of the better one; nil if it was left undecided.
    public let better: Int?
    /// The games after which it was decided.
    public let games: Int?
  }

  /// The probability of any wrong verdict, α.
  public let errorRate: Double
  private var pairs: [(a: Int, b: Int)] = []
  private var tests: [SequentialTest] = []
  private var decidedAfter: [Int?] = []
  /// The games judged so far.
  public private(set) var games = 0

  /// A rule for `players` players.
  ///
  /// - Precondition: there are at least 2, and `errorRate` is above 0 and below 1.
  public init(players: Int, errorRate: Double) {
    precondition(players >= 2, "a comparison takes two players")
    self.errorRate = errorRate
    for a in 0..<players {
      for b in (a + 1)..<players { pairs.append((a, b)) }
    }
    tests = pairs.map { _ in SequentialTest(errorRate: errorRate / Double(pairs.count)) }
    decidedAfter = pairs.map { _ in nil }
  }

  /// Whether all comparisons are decided.
  public var isDecided: Bool { decidedAfter.allSatisfy { $0 != nil } }

  /// Judges the next game by the players' scores.
  public mutating func add(_ scores: [Int]) {
    games += 1
    for (place, pair) in pairs.enumerated() where decidedAfter[place] == nil {
      tests[place].add(Double(scores[pair.a] - scores[pair.b]))
      if tests[place].verdict != .undecided { decidedAfter[place] = games }
    }
  }

  /// What was found, in the order of the pairs.
  public var decisions: [Decision] {
    pairs.indices.map { place in
      let (a, b) = pairs[place]
      let better: Int? =
        switch tests[place].verdict {
        case .undecided: nil
        case .positive: a
        case .negative: b
        }
      return Decision(a: a, b: b, better: better, games: decidedAfter[place])
    }
  }
}
