import Foundation

/// What an afterstate's value is moved towards: how much of the episode that followed counts.
///
/// With the TD errors `δ_t = r_{t+1} + V(a_{t+1}) − V(a_t)`, and `0 − V(a_T)` after the last
/// afterstate, every estimate is a sum of the errors that follow,
///
/// `e_t = Σ_{k=0}^{h} λ^k · δ_{t+k}`,
///
/// with a trace decay λ and a horizon h. The errors are those of the values that play read.
public struct ReturnEstimate: Equatable, Sendable {
  /// λ: how much less each later error counts, in 0...1.
  public let traceDecay: Float
  /// h: the number of later errors that count; nil for all of the episode.
  public let horizon: Int?

  /// TD(0): the reward and the value of the next afterstate.
  public static let oneStep = ReturnEstimate(traceDecay: 0, horizon: 0)

  /// The rewards of the next `steps` moves and the value after them (Sutton and Barto, "Reinforcement
  /// Learning", 2018, chapter 7).
  ///
  /// - Precondition: `steps` is at least 1.
  public static func nStep(_ steps: Int) -> ReturnEstimate {
    precondition(steps >= 1, "returns of at least one step")
    return ReturnEstimate(traceDecay: 1, horizon: steps - 1)
  }

  /// The λ-return over the rest of the episode, `G_t = r_{t+1} + (1 − λ) V(a_{t+1}) + λ G_{t+1}`.
  ///
  /// An error further away than a minibatch reaches, which counts less than 1/128, is left out.
  ///
  /// - Precondition: `lambda` is in 0..<1.
  public static func lambda(_ lambda: Float) -> ReturnEstimate {
    precondition(lambda >= 0 && lambda < 1, "λ is in 0..<1")
    return ReturnEstimate(traceDecay: lambda, horizon: nil)
  }

  /// The λ-return cut off after `horizon` later errors, as a queue of afterstates computes it during
  /// play (Jaśkowski 2017, delayed TD(λ)).
  ///
  /// - Precondition: `lambda` is in 0...1, and `horizon` not negative.
  public static func delayedLambda(_ lambda: Float, horizon: Int) -> ReturnEstimate {
    precondition(lambda >= 0 && lambda <= 1 && horizon >= 0, "λ is in 0...1, a horizon from 0")
    return ReturnEstimate(traceDecay: lambda, horizon: horizon)
  }

  private init(traceDecay: Float, horizon: Int?) {
    self.traceDecay = traceDecay
    self.horizon = horizon
  }

  /// How many later errors an afterstate has to wait for, before the end of the episode.
  var lookahead: Int {
    if let horizon { return horizon }
    if traceDecay == 0 { return 0 }
    return Int((log(1 / 128) / log(traceDecay)).rounded(.up))
  }
}
