import Game2048

/// What a player thinks of the moves of a game.
///
/// The loss of a move is the action value of the best move minus that of the played one, in points.
public struct GameReview: Sendable {
  /// One move, with its loss.
  public struct Move: Hashable, Sendable {
    /// The number of the move, from 1.
    public let number: Int
    /// The move as it was played.
    public let played: PlayedGame.Move
    /// The best move.
    public let best: Direction
    /// The final score that the reviewing player expects before the move: the score plus the value of the best
    /// move.
    public let expected: Double
    /// The loss of the played move, in points; at least 0.
    public let loss: Double
    /// The mean loss of the legal moves; nil if only one is legal.
    public let meanLoss: Double?
  }

  /// The moves in order.
  public let moves: [Move]
  /// The score after the last move.
  public let finalScore: Int

  /// The sum of all losses, in points.
  public var totalLoss: Double { moves.reduce(0) { $0 + $1.loss } }

  /// The mean loss per move, in points; nil without moves.
  public var meanLoss: Double? { moves.isEmpty ? nil : totalLoss / Double(moves.count) }

  /// The accuracy: 1 minus the sum of losses divided by the sum of mean losses.
  ///
  /// A player that moves at random has an accuracy of 0 in expectation, and one that always finds the best move
  /// has 1. Boards with a single legal move do not count. It is nil if the sum of mean losses is 0.
  public var accuracy: Double? {
    let choices = moves.compactMap { move in move.meanLoss.map { (loss: move.loss, mean: $0) } }
    let means = choices.reduce(0) { $0 + $1.mean }
    return means > 0 ? 1 - choices.reduce(0) { $0 + $1.loss } / means : nil
  }

  /// The definition of ``accuracy``, for help texts.
  public static let accuracyDefinition =
    "Accuracy is 100 % x (1 - sum of losses / sum of mean losses), where the mean loss of a board is the mean "
    + "over its legal moves. Random moves have an accuracy of 0 % on average, and the best moves 100 %. It can "
    + "be negative. Boards with a single legal move do not count."

  /// Returns the moves with the largest losses, the largest first. Moves without a loss are left out.
  ///
  /// - Parameter count: The largest number of moves.
  public func worst(_ count: Int = 10) -> [Move] {
    let bad = moves.filter { $0.loss > 0 }
    return Array(bad.sorted { ($1.loss, $0.number) < ($0.loss, $1.number) }.prefix(count))
  }
}
