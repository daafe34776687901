import Foundation

/// An estimate of the return of an afterstate: the TD target that its value moves towards.
///
/// The TD errors are `δ_t = r_{t+1} + V(a_{t+1}) − V(a_t)`, and `0 − V(a_T)` after the last afterstate,
/// with the values that play has read. The error of an estimate is a sum of TD errors,
///
/// `e_t = Σ_{k=0}^{h} λ^k · δ_{t+k}`,
///
/// with a trace decay λ and a horizon h.
public struct ReturnEstimate: Equatable, Sendable {
  /// The trace decay λ, the weight of each TD error relative to the one before it, in `0...1`.
  public let traceDecay: Float
  /// The horizon h, the number of later TD errors that count, or nil for the rest of the episode.
  public let horizon: Int?

  /// The one-step return of TD(0): the next reward plus the value of the next afterstate.
  public static let oneStep = ReturnEstimate(traceDecay: 0, horizon: 0)

  /// Returns the n-step return: the rewards of the next `steps` moves plus the value after them.
  ///
  /// Source: Sutton and Barto, "Reinforcement Learning", 2018, chapter 7.
  ///
  /// - Precondition: `steps` is at least 1.
  public static func nStep(_ steps: Int) -> ReturnEstimate {
    precondition(steps >= 1, "returns of at least one step")
    return ReturnEstimate(traceDecay: 1, horizon: steps - 1)
  }

  /// Returns the λ-return over the rest of the episode,
  /// `G_t = r_{t+1} + (1 − λ) V(a_{t+1}) + λ G_{t+1}`.
  ///
  /// TD errors beyond the end of a minibatch are omitted if their weight is less than 1/128, or if they are more than
  /// 512 moves later.
  ///
  /// - Precondition: `lambda` is in `0...1`.
  public static func lambda(_ lambda: Float) -> ReturnEstimate {
    precondition(lambda >= 0 && lambda <= 1, "λ is in 0...1")
    return ReturnEstimate(traceDecay: lambda, horizon: nil)
  }

  /// Returns the λ-return truncated after `horizon` later TD errors.
  ///
  /// Source: Jaśkowski 2017, delayed TD(λ), where a queue of afterstates computes it during play.
  ///
  /// - Precondition: `lambda` is in `0...1`, and `horizon` is not negative.
  public static func delayedLambda(_ lambda: Float, horizon: Int) -> ReturnEstimate {
    precondition(lambda >= 0 && lambda <= 1 && horizon >= 0, "λ is in 0...1, a horizon from 0")
    return ReturnEstimate(traceDecay: lambda, horizon: horizon)
  }

  /// The number of later TD errors that an afterstate has to wait for before the end of the episode.
  var lookahead: Int {
    if let horizon { return horizon }
    if traceDecay == 0 { return 0 }
    // No power of 1 is negligible.
    if traceDecay == 1 { return ReturnEstimate.mostLookahead }
    let needed = (log(1 / 128) / log(traceDecay)).rounded(.up)
    return min(ReturnEstimate.mostLookahead, Int(needed))
  }

  private static let mostLookahead = 512
}
