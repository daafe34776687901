import Game2048
import Testing

@testable import Console

@Suite("The screen of a game")
struct PlayScreenTests {
  private var content = PlayScreen.Content()

  init() throws {
    content.board = try Board(text: "1200000000000000")
    content.score = 1_234
    content.bestScore = 5_678
    content.moves = 99
    content.playerName = "rules"
  }

  private func lines(
    _ content: PlayScreen.Content, columns: Int = 80, rows: Int = 24, depth: ColorDepth = .none
  ) -> [String] {
    PlayScreen(depth: depth, boardSize: 4)
      .lines(content, on: TerminalSize(columns: columns, rows: rows))
  }

  @Test("names from files do not steer the terminal")
  func escapes() {
    var content = content
    content.message = "\u{1B}[2J"
    content.playerName = "\u{1B}c"
    let text = lines(content).joined()
    #expect(!text.contains("\u{1B}") && text.contains("\\u001B[2J") && text.contains("\\u001Bc"))
  }

  @Test("every line on a low terminal, without colours")
  func compact() {
    var content = content
    content.message = "Hello."
    content.hint = .left
    #expect(
      lines(content, rows: 20) == [
        "score 1,234   best 5,678   moves 99",
        "",
        "|   2    |   4    |        |        |",
        "|        |        |        |        |",
        "|        |        |        |        |",
        "|        |        |        |        |",
        "",
        "Hello.   hint: \u{2190} left",
        "",
        "arrows/WASD/HJKL move   ? hint   space player's move   p player on/off",
        "+/- speed   n new game   q quit   player: rules",
      ])
  }

  @Test("the large board fits on a terminal of 24 lines")
  func large() {
    let lines = lines(content)
    #expect(lines.count == 24)
    #expect(
      lines[2...18].elementsEqual(BoardView(depth: .none, isLarge: true).lines(content.board)))
  }

  @Test("lines never outnumber the terminal's", arguments: 1...40)
  func height(rows: Int) {
    let lines = lines(content, rows: rows)
    #expect(lines.count == (rows >= 24 ? 24 : min(rows, 11)))
  }

  @Test(
    "lines are cut to the width but for a column", arguments: [1, 10, 20, 36, 37, 60, 80, 200],
    [ColorDepth.none, .palette256, .trueColor])
  func width(columns: Int, depth: ColorDepth) {
    var content = content
    content.message = String(repeating: "long ", count: 30)
    let full = lines(content, columns: 1_000, depth: depth)
    let cut = lines(content, columns: columns, depth: depth)
    #expect(
      cut.map(withoutSequences) == full.map { String(withoutSequences($0).prefix(columns - 1)) })
    // Colours are reset, so that they do not affect the following text.
    for (line, fullLine) in zip(cut, full) {
      #expect(line.hasSuffix("\u{1B}[0m") == fullLine.hasSuffix("\u{1B}[0m"))
    }
  }

  @Test("all keys are shown beside a long name")
  func keys() {
    var content = content
    content.playerName = "default.compact (" + String(repeating: "depth=auto,", count: 10) + ")"
    let shown = lines(content).suffix(2).joined(separator: "\n")
    for key in [
      "move ", "? hint", "space ", "p player on/off", "+/- speed", "n new game", "q quit",
    ] {
      #expect(shown.contains(key))
    }
  }

  @Test("messages and hints move nothing", arguments: [20, 24])
  func reservedLines(rows: Int) {
    let quiet = lines(content, rows: rows)
    for message in ["", "Game over: n starts a new one."] {
      for hint in [nil, Direction.up, .down, .left, .right] {
        var content = content
        content.message = message
        content.hint = hint
        let lines = lines(content, rows: rows)
        #expect(lines.count == quiet.count)
        for (place, pair) in zip(lines, quiet).enumerated() where place != quiet.count - 4 {
          #expect(pair.0 == pair.1)
        }
      }
    }
  }

  @Test("hints show an arrow and its name")
  func arrows() {
    #expect(
      Direction.allCases.map { PlayScreen.arrow($0) } == [
        "\u{2191}", "\u{2193}", "\u{2190}", "\u{2192}",
      ])
  }
}
