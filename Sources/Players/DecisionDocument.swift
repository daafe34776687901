import Game2048
import Search

/// A decision as the JSON document of `analyze --json` and of the web interface.
package struct DecisionDocument: Encodable, Sendable {
  /// One of the four moves, in the order up, down, left, right.
  package struct Move: Encodable, Sendable {
    let direction: String
    let legal: Bool
    let reward: Int
    let afterstate: String
    let value: Double?

    /// Encodes a missing value as null, so that the keys are always the same.
    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(direction, forKey: .direction)
      try container.encode(legal, forKey: .legal)
      try container.encode(reward, forKey: .reward)
      try container.encode(afterstate, forKey: .afterstate)
      try container.encode(value, forKey: .value)
    }

    private enum CodingKeys: String, CodingKey {
      case direction, legal, reward, afterstate, value
    }
  }

  let board: String
  let best: String?
  let moves: [Move]

  /// Encodes a missing best move as null, so that the keys are always the same.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(board, forKey: .board)
    try container.encode(best, forKey: .best)
    try container.encode(moves, forKey: .moves)
  }

  private enum CodingKeys: String, CodingKey { case board, best, moves }

  package init(_ decision: Decision, on board: Board) {
    self.board = board.text
    best = decision.best.map { "\($0)" }
    moves = decision.moves.map {
      Move(
        direction: "\($0.direction)", legal: $0.legal, reward: $0.reward,
        afterstate: $0.afterstate.text, value: $0.value)
    }
  }
}
