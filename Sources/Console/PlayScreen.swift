import Basics
import Game2048

/// The screen of a game in the terminal: a head line, the board, a message and the keys.
///
/// Every line keeps its place even if it is empty, so that nothing jumps.
package struct PlayScreen: Sendable {
  /// The board and the texts around it.
  package struct Content: Sendable {
    package var board = Board()
    package var score = 0
    package var bestScore = 0
    package var moves = 0
    /// The direction that the player recommends.
    package var hint: Direction?
    /// A line about the state of the game.
    package var message = ""
    /// The name of the player that gives hints and plays on request.
    package var playerName = ""
    /// The two lines about the keys; nil for the keys of a game that a person plays.
    package var keys: [String]?

    package init() {}
  }

  private let depth: ColorDepth
  private let boardSize: Int

  package init(depth: ColorDepth, boardSize: Int) {
    self.depth = depth
    self.boardSize = boardSize
  }

  /// Returns the lines to draw on a terminal of this size: no more than it shows, and a column narrower.
  ///
  /// Erasing the rest of a full line would erase its last character.
  package func lines(_ content: Content, on size: TerminalSize) -> [String] {
    let fitsLarge = size.rows >= 4 * boardSize + 8
    let view = BoardView(depth: depth, isLarge: fitsLarge, size: boardSize)
    let hint = content.hint.map { "hint: \(PlayScreen.arrow($0)) \($0)" } ?? ""
    let head =
      "score \(NumberText.grouped(content.score))   best \(NumberText.grouped(content.bestScore))   "
      + "moves \(NumberText.grouped(content.moves))"
    let texts = [
      [head, ""],
      view.lines(content.board),
      [
        "", [content.message.printable(), hint].filter { !$0.isEmpty }.joined(separator: "   "), "",
      ],
      content.keys ?? [
        "arrows/WASD/HJKL move   ? hint   space player's move   p player on/off",
        // The name may be long and cut off.
        "+/- speed   n new game   q quit   player: \(content.playerName.printable())",
      ],
    ]
    return texts.joined().prefix(size.rows).map { PlayScreen.cut($0, to: size.columns - 1) }
  }

  /// Returns the part of `line` that fits, with all of its control sequences.
  private static func cut(_ line: String, to columns: Int) -> String {
    var width = 0
    var isInSequence = false
    return line.filter { character in
      if character == "\u{1B}" { isInSequence = true }
      if isInSequence {
        // A sequence that selects colours ends with its only letter.
        if character.isLetter { isInSequence = false }
        return true
      }
      width += 1
      return width <= columns
    }
  }

  /// Returns the arrow that points in `direction`.
  package static func arrow(_ direction: Direction) -> Character {
    switch direction {
    case .up: "\u{2191}"
    case .down: "\u{2193}"
    case .left: "\u{2190}"
    case .right: "\u{2192}"
    }
  }
}
