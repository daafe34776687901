import Basics
import Configuration
import Game2048
import TDLearning

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
