import Foundation

/// A test which of two players is better; its verdict may be read after every game.
///
/// A player is *better* if it wins more than half of the paired games that are not a draw. The higher
/// score wins. After `w` wins and `l` losses, the evidence that a player is better is
/// ```
/// E(w, l) = 1/K Σ_k (1 + b_k)^w (1 − b_k)^l      b_k = 2^−k, k = 1 … K
/// ```
/// The verdict is that the player is better once `E ≥ 2/α`, provided that its mean score is higher.
///
/// **Error rate.** Let the games that are not a draw be independent, each won with probability `p`. If
/// `p ≤ 1/2`, every `(1 + b)^w (1 − b)^l` with b above 0 is a supermartingale that starts at 1. By Ville's
/// inequality, the probability that E *ever* reaches 2/α is at most α/2. The probability of ever naming a
/// player that is not better is therefore at most α if `p = 1/2`, and at most α/2 otherwise, for any
/// number of games. Nothing else is assumed about the scores. They may be skewed and heavy-tailed, which
/// a test of their means could not allow. The condition on the means can only reduce the error rate.
///
/// Games from given boards have one probability only if each draws its board, as ``StartBoards`` can.
///
/// E is the wealth of a gambler who starts with 1 and bets the share `b_k` of it on every game, averaged
/// over k because the best share is not known.
///
/// Source: Ville, "Étude critique de la notion de collectif", 1939; Shafer, "Testing by betting", 2021.
struct SequentialTest: Hashable, Sendable {
  /// The state of the test.
  enum Verdict: Hashable, Sendable {
    /// The evidence does not suffice.
    case undecided
    /// The first player is better.
    case positive
    /// The second player is better.
    case negative
  }

  /// K, the number of bet sizes. The smallest, 1/64, is the best if 51 % of the games are won.
  static let bets = 6

  /// The upper bound of the probability of a wrong verdict, α.
  let errorRate: Double
  /// The verdict on the games so far; once decided, it does not change.
  private(set) var verdict = Verdict.undecided

  private var wins = 0
  private var losses = 0
  private var sum = 0.0

  /// Creates a test without games.
  ///
  /// - Precondition: `errorRate` is above 0 and below 1.
  init(errorRate: Double) {
    precondition(errorRate > 0 && errorRate < 1, "an error rate lies between 0 and 1")
    self.errorRate = errorRate
  }

  /// Adds the next game.
  ///
  /// - Parameter difference: The first player's score minus the second's.
  mutating func add(_ difference: Double) {
    sum += difference
    if difference > 0 { wins += 1 }
    if difference < 0 { losses += 1 }
    if verdict != .undecided { return }
    if sum > 0, SequentialTest.evidence(wins, losses) >= 2 / errorRate {
      verdict = .positive
    } else if sum < 0, SequentialTest.evidence(losses, wins) >= 2 / errorRate {
      verdict = .negative
    }
  }

  /// Returns E(wins, losses).
  static func evidence(_ wins: Int, _ losses: Int) -> Double {
    (1...bets).reduce(0) { sum, k in
      let bet = 1 / Double(1 << k)
      // Computed with logarithms, because the powers overflow or underflow after many games.
      return sum + exp(Double(wins) * log1p(bet) + Double(losses) * log1p(-bet)) / Double(bets)
    }
  }
}
