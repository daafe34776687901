import EndgameTables
import Foundation
import Game2048
import Search

/// A player of the best moves of endgame tables, and of a search where no table knows the board.
struct TablePlayer: Player {
  var search: ExpectimaxPlayer
  let tables: EndgameTables
  let rules: Rules
  let mode = ProcessInfo.processInfo.environment["TABLE_MODE"] ?? "both"
  let least = Double(ProcessInfo.processInfo.environment["TABLE_LEAST"] ?? "0.1")!

  var name: String { search.name }

  func evaluateMoves(_ board: Board) -> [MoveEvaluation] { search.evaluateMoves(board) }

  mutating func chooseMove(from board: Board) -> Direction? {
    if mode != "leaf", let known = knownMove(from: board) { return known }
    return search.chooseMove(from: board)
  }

  mutating func decide(on board: Board) -> Decision { search.decide(on: board) }

  private func knownMove(from board: Board) -> Direction? {
    let moves = rules.moves(from: board)
    var best: (direction: Direction, probability: Double)?
    for direction in Direction.allCases {
      let afterstate = moves.afterstate(direction)
      guard afterstate != board, let answer = tables.answer(to: afterstate) else { continue }
      if answer.probability > best?.probability ?? least {
        best = (direction, answer.probability)
      }
    }
    return best?.direction
  }
}
