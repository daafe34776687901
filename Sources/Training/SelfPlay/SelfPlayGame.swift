import Game2048
import Learning
import NTupleNetwork

/// A self-play player on a shared network, whose moves a learner receives.
///
/// All self-play runs through its loop. The loop stops at the end of an episode, or after a number of
/// moves within a game that the next call continues.
package struct SelfPlayGame<Source: RandomSource, Learner: EpisodeLearner & ~Copyable>: ~Copyable {
  private let network: NTupleNetwork
  private let rules: Rules
  /// The learner, which receives every move.
  package var learner: Learner
  private var starts: EpisodeStarts
  /// The random source of the spawns.
  private var source: Source
  /// The board before the next move, which is empty between episodes.
  private var board = Board()
  private var score = 0
  private var moves = 0
  private var isWholeGame = true

  /// Creates a player without a game in progress.
  package init(
    network: NTupleNetwork, rules: Rules, learner: consuming Learner, starts: EpisodeStarts,
    source: Source
  ) {
    self.network = network
    self.rules = rules
    self.learner = learner
    self.starts = starts
    self.source = source
  }

  /// Plays greedily until an episode ends, or for a number of moves.
  ///
  /// An episode ends when the next move is requested and none is legal.
  ///
  /// - Parameters:
  ///   - remaining: The number of moves to play, reduced by the moves that have been played.
  ///   - start: The start rule of the next episode, if none is in progress.
  /// - Returns: The result of the episode that has ended, or nil if none has.
  package mutating func play(_ remaining: inout Int, start: StartRule) -> EpisodeResult? {
    if board.occupied == 0 { begin(start) }
    // Local copies stay in registers. State that changes with every move must not share a cache line
    // with state that another worker writes.
    var (source, board, score, moves, left) = (source, board, score, moves, remaining)
    let recordsPath = starts.recordsPath
    defer {
      (self.source, self.board, self.score, self.moves, remaining) = (
        source, board, score, moves, left
      )
    }
    while left > 0 {
      guard let move = network.greedyMove(from: board, rules: rules) else {
        learner.finishEpisode()
        starts.finish()
        let result = EpisodeResult(
          score: score, moves: moves, largestExponent: board.largestTileExponent,
          isWholeGame: isWholeGame)
        (board, score, moves) = (Board(), 0, 0)
        return result
      }
      score += Int(move.reward)
      moves += 1
      left -= 1
      learner.observe(move)
      if recordsPath { starts.observe(board) }
      board = move.afterstate
      rules.spawn(on: &board, using: &source)
    }
    return nil
  }

  private mutating func begin(_ rule: StartRule) {
    let start = starts.begin(rule)
    board = start ?? rules.startBoard(using: &source)
    isWholeGame = start == nil
  }

  // MARK: Saving

  /// The current state of the player, without that of its learner.
  var state: PlayerState {
    PlayerState(
      source: source.state, starts: starts.state, planes: board.planes,
      highPlane: board.highPlane, score: score, moves: moves, isWholeGame: isWholeGame)
  }

  /// Resumes the game in progress of a saved player.
  mutating func resume(_ state: PlayerState) {
    (board, score, moves) = (state.board, state.score, state.moves)
    isWholeGame = state.isWholeGame
  }
}
