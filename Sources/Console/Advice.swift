import Basics
import Game2048

/// What a player thinks of the moves from a board.
package struct Advice: Equatable, Sendable {
  /// The best move.
  package let best: Direction
  /// The other legal moves, each with its loss: the action value of the best move minus that of the move. Empty
  /// if the player does not compare moves by value.
  package let losses: [Loss]

  /// The loss of a move.
  package struct Loss: Equatable, Sendable {
    package let direction: Direction
    /// The loss, in the unit of the player's action values.
    package let value: Double

    package init(_ direction: Direction, _ value: Double) {
      self.direction = direction
      self.value = value
    }
  }

  package init(best: Direction, losses: [Loss]) {
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
