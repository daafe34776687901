import Basics
import Game2048

/// What a player thinks of the moves from a board.
package struct Advice: Sendable {
  /// The best move.
  package let best: Direction
  /// The other legal moves, each with its loss: the action value of the best move minus that of the move, in
  /// the unit of the player. Empty if the player does not compare moves by value.
  package let losses: [(direction: Direction, value: Double)]

  package init(best: Direction, losses: [(direction: Direction, value: Double)]) {
    self.best = best
    self.losses = losses
  }

  /// The best move in words.
  var hint: String { "hint: \(PlayScreen.arrow(best)) \(best)" }

  /// The losses in a line; empty if there are none.
  var lossText: String {
    if losses.isEmpty { return "" }
    let texts = losses.map { "\(PlayScreen.arrow($0.direction)) \(NumberText.points($0.value))" }
    return "losses: " + texts.joined(separator: "  ")
  }
}
