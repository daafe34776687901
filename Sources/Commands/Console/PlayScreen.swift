import Basics
import Game2048

/// The screen of a game in the terminal: the score, the board, two lines about the game, and the keys.
///
/// The lines about the game keep their place even if they are empty, so that nothing jumps. On a terminal of 40
/// columns and 12 rows, nothing is cut off except long names. The board needs 30 columns.
struct PlayScreen: Sendable {
  /// The board and the texts around it.
  struct Content: Sendable {
    var board = Board()
    var score = 0
    var scoreName = "score"
    var bestScore = 0
    var bestScoreName = "best"
    var moves = 0
    /// What the player recommends, if it was asked.
    var advice: Advice?
    /// The state of the game, in at most 39 characters; empty if there is nothing to say.
    var message = ""
    var keys: [String] = []

  }

  /// The keys of a game that a person plays.
  ///
  /// - Parameter player: The name of the player that gives hints and plays on request. It may be long and is then
  ///   cut off.
  static func keys(player: String) -> [String] {
    [
      "arrows/WASD/HJKL move", "? hint", "u undo", "space player's move", "p player on/off",
      "+/- speed", "n new game", "q quit", "player: \(player)",
    ]
  }

  let depth: ColorDepth
  let boardSize: Int

  /// Returns the lines to draw on a terminal of this size: no more than it shows, and a column narrower.
  ///
  /// Erasing the rest of a full line would erase its last character.
  func lines(_ content: Content, on size: TerminalSize) -> [String] {
    let width = size.columns - 1
    let numbers = [
      (content.scoreName, content.score), (content.bestScoreName, content.bestScore),
      ("moves", content.moves),
    ].map { "\($0.0) \(NumberText.grouped($0.1))" }
    let state = [
      [content.message.printable(), content.advice?.hint ?? ""].filter { !$0.isEmpty }
        .joined(separator: "   "),
      content.advice?.lossText ?? "",
    ]
    let (head, keys) = (
      wrapped(items: numbers, width: width),
      wrapped(items: content.keys.map { $0.printable() }, width: width)
    )
    let texts = head.count + state.count + keys.count
    let tileWidth = BoardView.tileWidth(size: boardSize, columns: width)
    let views = [true, false].map { isLarge in
      BoardView(depth: depth, isLarge: isLarge, size: boardSize, tileWidth: tileWidth)
        .lines(content.board)
    }
    let board = texts + views[0].count <= size.rows ? views[0] : views[1]
    // Empty lines between the sections if there is room, those at the bottom first.
    let gaps = max(0, size.rows - texts - board.count)
    let sections = [head, board, state, keys].enumerated().map { place, lines in
      place > 0 && place + gaps > 3 ? [""] + lines : lines
    }
    return sections.joined().prefix(size.rows).map { PlayScreen.cut($0, to: width) }
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

  static func arrow(_ direction: Direction) -> Character {
    switch direction {
    case .up: "\u{2191}"
    case .down: "\u{2193}"
    case .left: "\u{2190}"
    case .right: "\u{2192}"
    }
  }
}

/// What a player thinks of the moves from a board.
struct Advice: Sendable {
  let best: Direction
  /// The other legal moves, each with its loss: the action value of the best move minus that of the move, in
  /// the unit of the player. Empty if the player does not compare moves by value.
  let losses: [(direction: Direction, value: Double)]
  /// The probability of the best move if an endgame table chose it, whose losses are probabilities, too.
  var probability: Double?

  var hint: String { "hint: \(PlayScreen.arrow(best)) \(best)" }

  var lossText: String {
    if losses.isEmpty { return "" }
    let texts = losses.map { direction, loss in
      "\(PlayScreen.arrow(direction)) "
        + (probability == nil ? NumberText.points(loss) : NumberText.percent(loss))
    }
    let table = probability.map { "table: \(NumberText.percent($0))  " } ?? ""
    return table + "losses: " + texts.joined(separator: "  ")
  }
}
