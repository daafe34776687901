import Configuration
import Game2048
import TDLearning

/// A lane between two rounds, as a saved run keeps it.
package struct LaneState: Codable, Equatable, Sendable {
  /// The state of the random source.
  package var source: [UInt64]
  /// The board, the player to move; empty before the first episode.
  package var planes: UInt64
  package var highPlane: UInt16
  /// The points and moves of the episode so far.
  package var score: Int
  package var moves: Int
  /// Whether the episode began at the start of the game.
  package var isWholeGame: Bool
  package var starts: EpisodeStarts.State
  /// The rows of the episode that wait for later errors.
  package var waiting: WaitingRows

  package var board: Board { Board(planes: planes, highPlane: highPlane) }

  /// Whether a lane of a run with this configuration can be in this state.
  package func fits(_ configuration: TrainingConfiguration) -> Bool {
    configuration.randomSource.type.init(state: source) != nil
      && configuration.rules.haveRoom(for: board) && board.tileCount != 1
      && (0..<1 << 40).contains(score) && (0..<1 << 40).contains(moves)
      && waiting.fits(configuration.returnEstimate)
  }
}
