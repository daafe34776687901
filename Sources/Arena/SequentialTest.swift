#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells, game by game, whether one of two players is better, and may be asked after every game.
///
/// Of the score differences `D_1 … D_n` in paired games let `S = Σ D_i`, `V = Σ D_i²`, and `ρ` a
/// multiple of the mean of the first ``firstLook`` squares. A player is found better once
/// ```
/// S² > (V + ρ) · (log((V + ρ) / ρ) + 2 log(1/α))
/// ```
/// **Error rate.** If the players are equally good in the sense that exchanging their scores of a
/// game changes nothing (their differences are then symmetric about 0), the probability that either
/// is *ever* found better is at most α, at any number of games and for any distribution of scores,
/// however skewed: given the sizes of the differences their signs are fair coins, for which
/// `exp(λS − λ²V/2)` is a supermartingale for every λ, and the bound is Ville's inequality for its
/// mixture over λ, normal with variance 1/ρ; ρ may depend on the sizes. If only their means are
/// equal, the rate is α in the limit of many games; tests show it on differences as skewed as an
/// exponential distribution.
///
/// Source: de la Peña, Klass and Lai, "Self-normalized processes", Annals of Probability 2004;
/// Robbins, "Statistical methods related to the law of the iterated logarithm", 1970.
public struct SequentialTest: Hashable, Sendable {
  /// What is known of two players.
  public enum Verdict: Hashable, Sendable {
    case undecided
    /// The differences are above 0.
    case positive
    /// The differences are below 0.
    case negative
  }

  /// No verdict is given before so many games.
  public static let firstLook = 30
  /// The number of games at which the least difference is found; others cost little more.
  static let tunedFor = 200.0

  /// The probability of a wrong verdict, α.
  public let errorRate: Double
  public private(set) var verdict = Verdict.undecided

  private var count = 0
  private var sum = 0.0
  private var squares = 0.0
  /// ρ, once it is known.
  private var scale = 0.0

  /// - Precondition: `errorRate` is above 0 and below 1.
  public init(errorRate: Double) {
    precondition(errorRate > 0 && errorRate < 1, "an error rate lies between 0 and 1")
    self.errorRate = errorRate
  }

  /// Takes the next difference into account; a verdict stays.
  public mutating func add(_ difference: Double) {
    count += 1
    sum += difference
    squares += difference * difference
    if count < SequentialTest.firstLook || verdict != .undecided { return }
    let evidence = -2 * log(errorRate)
    if scale == 0 {
      // The width of the bound after n games, for ρ in units of V, is least near this ρ.
      scale =
        squares / Double(count) * SequentialTest.tunedFor / (evidence + log(1 + evidence))
    }
    // Players that have always scored alike are undecided.
    guard scale > 0 else { return }
    let total = squares + scale
    if sum * sum > total * (log(total / scale) + evidence) {
      verdict = sum > 0 ? .positive : .negative
    }
  }
}
