import Configuration
import Game2048
import NTupleNetwork
import RandomSources
import TDLearning

/// A player that plays against itself on a shared network, and whose moves a learner receives.
///
/// This is the one loop of self-play. It stops where an episode ends, or after a number of moves; then the
/// game in progress waits.
package struct SelfPlayGame<Source: RandomSource, Learner: EpisodeLearner> {
  private let network: NTupleNetwork
  private let rules: Rules
  /// Receives every move.
  package var learner: Learner
  private var starts: EpisodeStarts
  /// Decides the spawns.
  private var source: Source
  /// The board, the player to move; empty between episodes.
  private var board = Board()
  private var score = 0
  private var moves = 0
  private var isWholeGame = true

  /// A player between two episodes.
  package init(
    network: NTupleNetwork, rules: Rules, learner: Learner, starts: EpisodeStarts, source: Source
  ) {
    self.network = network
    self.rules = rules
    self.learner = learner
    self.starts = starts
    self.source = source
  }

  /// Plays greedily until an episode ends, or for a number of moves.
  ///
  /// The end of an episode is noticed when a move is asked for.
  ///
  /// - Parameters:
  ///   - remaining: the moves to play, less those that have been played on return.
  ///   - start: where the next episode starts, if none is in progress.
  /// - Returns: the episode that has ended, if one has.
  package mutating func play(_ remaining: inout Int, start: StartRule) -> EpisodeResult? {
    if board.occupied == 0 { begin(start) }
    // In registers meanwhile: what is written every move must not share a cache line with what another
    // worker writes.
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

  /// The player as it is now, but for what its learner keeps.
  var state: PlayerState {
    PlayerState(
      source: source.state, starts: starts.state, board: board, score: score, moves: moves,
      isWholeGame: isWholeGame)
  }

  /// Resumes the game in progress of a saved player.
  mutating func resume(_ state: PlayerState) {
    (board, score, moves) = (state.board, state.score, state.moves)
    isWholeGame = state.isWholeGame
  }
}
