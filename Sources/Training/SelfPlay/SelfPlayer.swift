import Basics
import Game2048
import Learning
import NTupleNetwork

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

/// The saved state of a self-play player.
///
/// Asynchronous players are saved between episodes, and lanes with a game in progress.
package struct PlayerState: Codable, Equatable, Sendable {
  /// The state of the random source.
  package var source: [UInt64]
  /// The state of the starts.
  package var starts: EpisodeStarts.State
  /// The planes of the board before the next move, which is empty between episodes.
  var planes: UInt64 = 0
  /// The high plane of that board.
  var highPlane: UInt16 = 0
  /// The points of the episode in progress.
  package var score = 0
  /// The number of moves of the episode in progress.
  package var moves = 0
  /// Whether the episode in progress began at the start of the game.
  var isWholeGame = true
  /// The rows of the episode in progress that wait for later errors.
  package var waiting = WaitingRows()

  /// The board before the next move.
  package var board: Board { Board(planes: planes, highPlane: highPlane) }

  /// Returns whether a player of a run with this configuration can be in this state.
  func fits(_ configuration: TrainingConfiguration) -> Bool {
    configuration.randomSource.type.init(state: source) != nil
      && EpisodeStarts(configuration.startSettings, state: starts) != nil
      && InputLimit.countOfEpisode.allows(score) && InputLimit.countOfEpisode.allows(moves)
      && (configuration.mode == .synchronous
        ? configuration.rules.haveRoom(for: board) && board.tileCount != 1
          && board.largestTileExponent <= Board.largestExponent
          && waiting.fits(configuration.returnEstimate)
        : board == Board() && waiting == WaitingRows())
  }
}

extension PlayerState {
  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    source = try fields.decode([UInt64].self, forKey: .source)
    starts = try fields.decode(EpisodeStarts.State.self, forKey: .starts)
    // Between episodes, only the two fields above are saved.
    planes = try fields.decodeIfPresent(UInt64.self, forKey: .planes) ?? planes
    highPlane = try fields.decodeIfPresent(UInt16.self, forKey: .highPlane) ?? highPlane
    score = try fields.decodeIfPresent(Int.self, forKey: .score) ?? score
    moves = try fields.decodeIfPresent(Int.self, forKey: .moves) ?? moves
    isWholeGame = try fields.decodeIfPresent(Bool.self, forKey: .isWholeGame) ?? isWholeGame
    waiting = try fields.decodeIfPresent(WaitingRows.self, forKey: .waiting) ?? waiting
  }
}

/// The saved state of all players of a run, at a barrier.
public struct SelfPlayState: Codable, Equatable, Sendable {
  /// The players of asynchronous mode, or the lanes of synchronous mode, in order.
  package var players: [PlayerState]
  /// The episodes that ended after the one at which the barrier was due. They count after the barrier.
  package var uncounted: [EpisodeResult]

  package init(players: [PlayerState], uncounted: [EpisodeResult] = []) {
    self.players = players
    self.uncounted = uncounted
  }

  /// Returns whether a run with this configuration can be in this state.
  ///
  /// The number of asynchronous players may change when a run is resumed.
  package func fits(_ configuration: TrainingConfiguration) -> Bool {
    players.allSatisfy { $0.fits(configuration) } && uncounted.allSatisfy(\.isValid)
      && (configuration.mode == .synchronous
        ? players.count == configuration.lanes : uncounted.isEmpty)
  }
}
