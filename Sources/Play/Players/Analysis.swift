import Basics
import Game2048
import Search

extension Board {
  /// The seed of a player that analyses this board.
  ///
  /// A player that draws random numbers draws others on another board, and the same on the same.
  package var analysisSeed: UInt64 { SplitMix64.mix(planes) }
}

/// What a player makes of a board: the document of `analyze --json`, and a part of that of `/api/analyze`.
package struct BoardAnalysis: Document {
  let board: Board
  let decision: Decision

  package init(of board: Board, _ decision: Decision) {
    (self.board, self.decision) = (board, decision)
  }

  package static let fields: [Field<BoardAnalysis>] = [
    Field("board", \.board, "The board, as 16 exponents."),
    Field("best", \.decision.best, "The best move, or null without a legal move."),
    Field(
      "isFromTable", \.decision.isFromTable,
      "Whether an endgame table chose the best move; values are then probabilities of its goal."),
    Field("moves", \.decision.moves),
  ]
}

extension MoveEvaluation: Document {
  package static let fields: [Field<MoveEvaluation>] = [
    Field("direction", \.direction, "`up`, `down`, `left`, `right`, in this order."),
    Field("legal", \.legal, "Whether the move is legal."),
    Field("reward", \.reward, unit: "points", "The reward; 0 if illegal."),
    Field("afterstate", \.afterstate, "The board after the move and before the spawn."),
    Field("value", \.value, "The action value, or null if illegal or not computed."),
  ]
}

extension Board: DocumentValue {
  package static var schema: ValueSchema.Members {
    ["type": "string", "pattern": "^[0-9A-H]{16}$"]
  }
  package var json: JSONValue { .string(text) }
}

extension Direction: DocumentValue {
  package static var schema: ValueSchema.Members { ValueSchema.names(allCases.map { "\($0)" }) }
  package var json: JSONValue { .string("\(self)") }
}
