import Game2048
import Testing

@testable import Commands

@Suite("The screen of a game")
struct PlayScreenTests {
  private var content = PlayScreen.Content()

  init() throws {
    content.board = try Board(text: "1200000000000000")
    content.score = 1_234
    content.bestScore = 5_678
    content.moves = 99
    content.keys = PlayScreen.keys(player: "rules")
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
    content.keys = PlayScreen.keys(player: "\u{1B}c")
    let text = lines(content).joined()
    #expect(!text.contains("\u{1B}") && text.contains("\\u001B[2J") && text.contains("\\u001Bc"))
  }

  /// A player's thoughts of a board on which down is not legal.
  private static let advice = Advice(
    best: .left, losses: [(.up, 12.5), (.right, 1_024.25)])

  @Test("every line on a low terminal, without colours")
  func compact() {
    var content = content
    content.message = "Hello."
    content.advice = PlayScreenTests.advice
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
        "losses: \u{2191} 12.50  \u{2192} 1,024",
        "",
        "arrows/WASD/HJKL move   ? hint   u undo   space player's move   p player on/off",
        "+/- speed   n new game   q quit   player: rules",
      ])
  }

  @Test("the large board fits on a terminal of 24 lines")
  func large() {
    let lines = lines(content)
    #expect(lines.count == 24)
    #expect(
      lines[1...17].elementsEqual(BoardView(depth: .none, isLarge: true).lines(content.board)))
  }

  @Test("a terminal of 40 columns and 12 rows shows everything")
  func small() throws {
    var content = content
    content.board = try Board(text: "HGFEDCBA98765432")
    content.score = 3_932_100
    content.bestScore = 3_932_100
    content.moves = 131_038
    content.keys = PlayScreen.keys(player: "default.compact")
    content.advice = Advice(
      best: .right, losses: [(.up, 123_456), (.down, 123_456), (.left, 123_456)])
    let shown = lines(content, columns: 40, rows: 12)
    let wide = lines(content, columns: 1_000, rows: 1_000)
    #expect(shown.count == 12)
    // The same words, but for the size of the board.
    func words(_ lines: [String]) -> Set<Substring> {
      Set(lines.joined(separator: " ").split { " |-".contains($0) })
    }
    #expect(words(shown) == words(wide))
  }

  @Test("lines never outnumber the terminal's", arguments: 1...40)
  func height(rows: Int) {
    // 9 lines with the small board and 22 with the large one, and at most three empty ones.
    let all = rows < 22 ? min(12, max(9, rows)) : min(25, rows)
    #expect(lines(content, rows: rows).count == min(rows, all))
  }

  @Test(
    "lines are cut to the width but for a column", arguments: [38, 39, 60, 80, 200],
    [ColorDepth.none, .palette256, .trueColor])
  func width(columns: Int, depth: ColorDepth) {
    var content = content
    content.message = String(repeating: "long ", count: 30)
    content.keys = ["q quit"]
    let full = lines(content, columns: 1_000, depth: depth)
    let cut = lines(content, columns: columns, depth: depth)
    #expect(
      cut.map(withoutSequences) == full.map { String(withoutSequences($0).prefix(columns - 1)) })
    // Colours are reset, so that they do not affect the following text.
    for (line, fullLine) in zip(cut, full) {
      #expect(line.hasSuffix("\u{1B}[0m") == fullLine.hasSuffix("\u{1B}[0m"))
    }
  }

  @Test(
    "the board fits on 30 columns, and is cut below", arguments: [20, 29, 30, 36],
    [ColorDepth.none, .palette256])
  func narrowBoard(columns: Int, depth: ColorDepth) throws {
    var content = content
    content.board = try Board(text: "HGFEDCBA98765432")
    let board = BoardView(
      depth: depth, isLarge: false,
      tileWidth: BoardView.tileWidth(size: 4, columns: columns - 1)
    ).lines(content.board)
    let shown = lines(content, columns: columns, rows: 12, depth: depth)
    let first = try #require(shown.firstIndex { withoutSequences($0).contains("131072") })
    for (line, whole) in zip(shown[first..<(first + 4)], board) {
      #expect(withoutSequences(line) == String(withoutSequences(whole).prefix(columns - 1)))
      #expect(columns < 30 || withoutSequences(line) == withoutSequences(whole))
      #expect(line.hasSuffix("\u{1B}[0m") == (depth != .none))
    }
  }

  @Test("on narrow terminals, items take more lines before they are cut", arguments: 1...36)
  func narrow(columns: Int) {
    let lines = lines(content, columns: columns, rows: 100)
    #expect(lines.allSatisfy { $0.count < columns })
    for item in ["score 1,234", "moves 99", "? hint", "q quit"] where item.count < columns {
      #expect(lines.contains { $0.contains(item) }, "\(item)")
    }
  }

  @Test("all keys are shown beside a long name")
  func keys() {
    var content = content
    let name = "default.compact (" + String(repeating: "depth=auto,", count: 10) + ")"
    content.keys = PlayScreen.keys(player: name)
    let shown = lines(content).suffix(3).joined(separator: "\n")
    for key in PlayScreen.keys(player: "default") { #expect(shown.contains(key), "\(key)") }
  }

  @Test("messages and hints move nothing", arguments: [20, 24])
  func reservedLines(rows: Int) {
    let quiet = lines(content, rows: rows)
    for message in ["", "Game over: n starts a new one."] {
      for advice in [nil, PlayScreenTests.advice] {
        var content = content
        content.message = message
        content.advice = advice
        let lines = lines(content, rows: rows)
        #expect(lines.count == quiet.count)
        for (place, pair) in zip(lines, quiet).enumerated()
        where !(quiet.count - 5...quiet.count - 4).contains(place) {
          #expect(pair.0 == pair.1)
        }
      }
    }
  }

  @Test("a player that compares no values gives a hint without losses")
  func noLosses() {
    let advice = Advice(best: .up, losses: [])
    #expect(advice.hint == "hint: \u{2191} up" && advice.lossText == "")
  }

  @Test("hints show an arrow and its name")
  func arrows() {
    #expect(
      Direction.allCases.map { PlayScreen.arrow($0) } == [
        "\u{2191}", "\u{2193}", "\u{2190}", "\u{2192}",
      ])
  }
}
