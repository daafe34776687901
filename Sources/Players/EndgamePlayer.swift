import EndgameTables
import Game2048
import Search

/// A player that plays like another one until a large tile is made, and from then on by tables of chains.
///
/// Where the tables have no move, it plays the move of a search.
struct EndgamePlayer: Player {
  let name: String
  /// The player of the first part of the game.
  var before: any Player
  /// The exponent of the tile from which on the tables lead.
  let handoverExponent: Int
  let tables: EndgameTables
  /// The player of late boards without a move from the tables.
  var search: any Player
  let rules: Rules

  private func isLate(_ board: Board) -> Bool { board.largestTileExponent >= handoverExponent }

  mutating func chooseMove(from board: Board) -> Direction? {
    guard isLate(board) else { return before.chooseMove(from: board) }
    if let lead = tables.lead(on: board, rules: rules) { return lead.move }
    return search.chooseMove(from: board)
  }

  /// Returns the moves with the values of whoever chooses: probabilities of the chain if a table does.
  func evaluateMoves(_ board: Board) -> [MoveEvaluation] {
    guard isLate(board) else { return before.evaluateMoves(board) }
    guard let lead = tables.lead(on: board, rules: rules) else {
      return search.evaluateMoves(board)
    }
    return moves(from: board, lead)
  }

  mutating func decide(on board: Board) -> Decision {
    guard isLate(board) else { return before.decide(on: board) }
    guard let lead = tables.lead(on: board, rules: rules) else { return search.decide(on: board) }
    return Decision(moves: moves(from: board, lead), best: lead.move)
  }

  private func moves(from board: Board, _ lead: EndgameTables.Lead) -> [MoveEvaluation] {
    MoveEvaluation.all(from: board, rules: rules) { move, _, _ in
      lead.probabilities[move.rawValue]
    }
  }
}
