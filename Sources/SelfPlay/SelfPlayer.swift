import Configuration
import NTupleNetwork
import RandomSources
import TDLearning

/// A self-play player whose random source is chosen at run time.
///
/// It is a set of closures instead of a protocol: the optimiser specialises a closure for the types that
/// it captures, but compiles a generic class behind a protocol only once.
///
/// Safety: (1) one thread at a time plays; (2) `withLearner` and `state` are called by that thread, or while
/// no thread plays; (3) several threads may call `readLearner` at once, while none calls the others; (4)
/// barriers order these accesses.
final class SelfPlayer<Learner: EpisodeLearner & ~Copyable>: @unchecked Sendable {
  /// Plays until an episode ends, or for a number of moves; see ``SelfPlayGame/play(_:start:)``.
  let play: (_ remaining: inout Int, _ start: StartRule) -> EpisodeResult?
  /// Calls a closure with the learner, which it may change.
  let withLearner: ((inout Learner) -> Void) -> Void
  /// Calls a closure with the learner.
  let readLearner: ((borrowing Learner) -> Void) -> Void
  /// Returns the current state of the player, without that of its learner.
  let state: () -> PlayerState

  @inline(__always)
  private init<Source: RandomSource>(_ game: consuming SelfPlayGame<Source, Learner>) {
    var game = game
    play = { game.play(&$0, start: $1) }
    withLearner = { $0(&game.learner) }
    readLearner = { $0(game.learner) }
    state = { game.state }
  }

  /// Restores a saved player, or creates one from a seed.
  ///
  /// The code names every random source, so that the player is specialised for each.
  ///
  /// - Precondition: The state fits the configuration.
  convenience init(
    _ configuration: TrainingConfiguration, network: NTupleNetwork, learner: consuming Learner,
    state: PlayerState?, seed: UInt64
  ) {
    switch configuration.randomSource {
    case .xoshiro256: self.init(Xoshiro256.self, configuration, network, learner, state, seed)
    case .mersenneTwister64:
      self.init(MersenneTwister64.self, configuration, network, learner, state, seed)
    case .javaLinearCongruential:
      self.init(JavaLinearCongruential.self, configuration, network, learner, state, seed)
    case .arc4: self.init(ARC4.self, configuration, network, learner, state, seed)
    }
  }

  @inline(__always)
  private convenience init<Source: RandomSource>(
    _ type: Source.Type, _ configuration: TrainingConfiguration, _ network: NTupleNetwork,
    _ learner: consuming Learner, _ state: PlayerState?, _ seed: UInt64
  ) {
    // The unwrapping cannot fail, because the state fits.
    var game = SelfPlayGame(
      network: network, rules: configuration.rules, learner: learner,
      starts: state.map { EpisodeStarts(configuration.startSettings, state: $0.starts)! }
        ?? EpisodeStarts(configuration.startSettings),
      source: state.map { Source(state: $0.source)! } ?? Source(seed: seed))
    if let state { game.resume(state) }
    self.init(game)
  }
}
