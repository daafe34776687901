import Game2048
import RandomSources
import TDLearning

/// A lane between two rounds, as a saved run keeps it.
struct LaneState: Codable, Equatable, Sendable {
  /// The state of the random source.
  var source: [UInt64]
  /// The board, the player to move; empty before the first episode.
  var planes: UInt64
  var highPlane: UInt16
  /// The points and moves of the episode so far.
  var score: Int
  var moves: Int
  /// Whether the episode began at the start of the game.
  var isWholeGame: Bool
  var starts: EpisodeStarts.State
  /// The rows of the episode that wait for later errors.
  var waiting: WaitingRows

  var board: Board { Board(planes: planes, highPlane: highPlane) }

  /// Whether a lane of a run with this configuration can be in this state.
  func fits(_ configuration: TrainingConfiguration) -> Bool {
    configuration.randomSource.type.init(state: source) != nil
      && configuration.rules.haveRoom(for: board) && board.tileCount != 1
      && (0..<1 << 40).contains(score) && (0..<1 << 40).contains(moves)
      && waiting.fits(configuration.returnEstimate)
  }
}
