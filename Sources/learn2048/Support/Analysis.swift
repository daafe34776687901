import Console
import Foundation
import Game2048
import Search

/// The moves of one board, as `analyze` prints them.
struct Analysis {
  let board: Board
  let player: String
  private let decision: Decision

  /// What `player` makes of `board`.
  init(of board: Board, by player: any Player) {
    var player = player
    self.board = board
    self.player = player.name
    decision = player.decide(on: board)
  }

  struct Document: Encodable {
    struct Move: Encodable {
      let direction: String
      let legal: Bool
      let reward: Int
      let afterstate: String
      let value: Double?

      /// Writes null for a move without a value, so that the keys are always the same.
      func encode(to encoder: any Encoder) throws {
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
  }

  /// What there is to say about one of many boards.
  enum Answer: Encodable {
    case analysis(Document)
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

  var document: Document {
    Document(
      board: board.text, best: decision.best.map { "\($0)" },
      moves: decision.moves.map {
        Document.Move(
          direction: "\($0.direction)", legal: $0.legal, reward: $0.reward,
          afterstate: $0.afterstate.text, value: $0.value)
      })
  }

  var text: String {
    var lines = [board.description, "", "asked: \(player)"]
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
