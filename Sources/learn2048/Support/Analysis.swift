import Console
import Foundation
import Game2048
import Players
import Search

/// The four moves of a board with their action values, as `analyze` prints them.
struct Analysis {
  let board: Board
  let player: String
  private let rules: Rules
  private let decision: Decision

  /// Evaluates the moves of `board` with `player`.
  init(of board: Board, by player: any Player, rules: Rules) {
    var player = player
    self.board = board
    self.rules = rules
    self.player = player.name
    decision = player.decide(on: board)
  }

  /// The result for one of several boards.
  enum Answer: Encodable {
    case analysis(DecisionDocument)
    case failure(board: String, error: String)

    private enum CodingKeys: String, CodingKey { case board, error }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .analysis(let document): try document.encode(to: encoder)
      case .failure(let board, let error):
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(board, forKey: .board)
        try container.encode(error, forKey: .error)
      }
    }
  }

  var document: DecisionDocument { DecisionDocument(decision, on: board) }

  var text: String {
    var lines = [board.description(size: rules.size), "", "player: \(player)"]
    for move in decision.moves {
      let mark = move.direction == decision.best ? "*" : " "
      let name = "\(move.direction)".padding(toLength: 6, withPad: " ", startingAt: 0)
      let verdict =
        move.legal
        ? "reward \(move.reward)"
          + (move.value.map { String(format: "  value %.2f", $0) } ?? "")
          + "  after \(move.afterstate.text)"
        : "not legal"
      lines.append("\(mark) \(PlayScreen.arrow(move.direction)) \(name) \(verdict)")
    }
    return lines.joined(separator: "\n")
  }
}
