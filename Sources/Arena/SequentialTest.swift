#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells, game by game, whether one of two players is better, and may be asked after every game.
///
/// *Better* means: of the paired games that are no draw, it wins more than half, a win being the higher
/// score with the same luck. After `w` wins and `l` losses, the evidence that a player is better is
/// ```
/// E(w, l) = 1/K Σ_k (1 + b_k)^w (1 − b_k)^l      b_k = 2^−k, k = 1 … K
/// ```
/// and it is found better once `E ≥ 2/α` and the mean of the scores says the same.
///
/// **Error rate.** Let the games that are no draw be independent, each won with probability `p`. If
/// `p ≤ 1/2`, every `(1 + b)^w (1 − b)^l` with b above 0 is a supermartingale that starts at 1, and by
/// Ville's inequality the probability that E *ever* reaches 2/α is at most α/2. So the probability that
/// a player is ever named that is not better is at most α where `p = 1/2`, and α/2 elsewhere, at any
/// number of games. No more is assumed of the scores: they may be as skewed and as heavy-tailed as they
/// like, which no test of their means could allow. That the means must agree only makes it rarer.
///
/// E is the wealth of who starts with 1, and bets the share `b_k` of what is left on every game; the mean
/// over k stands for the share that would have been best.
///
/// Source: Ville, "Étude critique de la notion de collectif", 1939; Shafer, "Testing by betting", 2021.
public struct SequentialTest: Hashable, Sendable {
  /// What is known of two players.
  public enum Verdict: Hashable, Sendable {
    case undecided
    /// The first is better.
    case positive
    /// The second is better.
    case negative
  }

  /// K; the smallest bet, 1/64, is the best one where 51 % of the games are won.
  static let bets = 6

  /// The probability of a wrong verdict, α.
  public let errorRate: Double
  public private(set) var verdict = Verdict.undecided

  private var wins = 0
  private var losses = 0
  private var sum = 0.0

  /// - Precondition: `errorRate` is above 0 and below 1.
  public init(errorRate: Double) {
    precondition(errorRate > 0 && errorRate < 1, "an error rate lies between 0 and 1")
    self.errorRate = errorRate
  }

  /// Takes the next game into account; a verdict stays.
  ///
  /// - Parameter difference: the first player's score less the second's.
  public mutating func add(_ difference: Double) {
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

  /// E(wins, losses).
  static func evidence(_ wins: Int, _ losses: Int) -> Double {
    (1...bets).reduce(0) { sum, k in
      let bet = 1 / Double(1 << k)
      // In logarithms, since a product of many games would leave the range of numbers on its way.
      return sum + exp(Double(wins) * log1p(bet) + Double(losses) * log1p(-bet)) / Double(bets)
    }
  }
}
