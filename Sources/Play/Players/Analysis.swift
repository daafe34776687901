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
    Field("board", "The board, as 16 exponents.") { $0.board },
    Field("best", "The best move, or null without a legal move.") { $0.decision.best },
    Field("moves") { $0.decision.moves },
  ]
}

extension MoveEvaluation: Document {
  package static let fields: [Field<MoveEvaluation>] = [
    Field("direction", "`up`, `down`, `left`, `right`, in this order.") { $0.direction },
    Field("legal", "Whether the move is legal.") { $0.legal },
    Field("reward", unit: "points", "The reward; 0 if illegal.") { $0.reward },
    Field("afterstate", "The board after the move and before the spawn.") { $0.afterstate },
    Field("value", "The action value, or null if illegal or not computed.") { $0.value },
  ]
}

extension Board: DocumentValue {
  /// An afterstate can have a tile beyond 131072, a board of a game cannot.
  package static var schema: ValueSchema.Members {
    ["type": "string", "pattern": "^[0-9A-I]{16}$"]
  }
  package var json: JSONValue { .string(text) }
}

extension Direction: DocumentValue {
  package static var schema: ValueSchema.Members { ValueSchema.names(allCases.map { "\($0)" }) }
  package var json: JSONValue { .string("\(self)") }
}
