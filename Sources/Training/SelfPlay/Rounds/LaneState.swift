import Game2048
import RandomSources
import TDLearning

/// A lane between two rounds, as a saved run keeps it.
public struct LaneState: Codable, Equatable, Sendable {
  /// The state of the random source.
  public var source: [UInt64]
  /// The board, the player to move.
  public var planes: UInt64
  public var highPlane: UInt16
  /// The points and moves of the episode so far.
  public var score: Int
  public var moves: Int
  /// The rows of the episode that wait for later errors.
  public var waiting: WaitingRows

  var board: Board { Board(planes: planes, highPlane: highPlane) }

  /// Whether a lane of a run with this configuration can be in this state.
  func fits(_ configuration: TrainingConfiguration) -> Bool {
    configuration.randomSource.type.init(state: source) != nil
      && board.occupied & ~configuration.rules.cells == 0 && board.tileCount >= 2
      && score >= 0 && moves >= 0
      && waiting.fits(configuration.returnEstimate)
  }
}
