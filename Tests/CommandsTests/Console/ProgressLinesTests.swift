import Testing

@testable import Commands

@Suite("Progress that is redrawn in place")
struct ProgressLinesTests {
  private var lines = ProgressLines()
  private var terminal = SmallTerminal(columns: 20, rows: 6)

  private mutating func show(_ new: String...) {
    terminal.write(lines.replacing(with: new, columns: terminal.columns))
  }

  private mutating func message(_ text: String) {
    terminal.write(lines.inserting(text, columns: terminal.columns))
  }

  @Test("lines replace each other, whether they become more or fewer")
  mutating func replacement() {
    message("before")
    show("one", "two", "three")
    #expect(terminal.screen == ["before", "one", "two", "three"])
    show("uno", "dos")
    #expect(terminal.screen == ["before", "uno", "dos"])
    show("1", "2", "3", "4")
    #expect(terminal.screen == ["before", "1", "2", "3", "4"])
    show()
    #expect(terminal.screen == ["before"])
    message("after")
    #expect(terminal.screen == ["before", "after"])
  }

  @Test("messages stay above the lines, also when the terminal scrolls")
  mutating func messages() {
    for number in 1...9 {
      message("message \(number)")
      show("a \(number)", "b \(number)", "c \(number)")
    }
    #expect(
      terminal.screen == ["message 7", "message 8", "message 9", "a 9", "b 9", "c 9"])
    show()
    #expect(terminal.history == (1...9).map { "message \($0)" })
  }

  @Test("lines are cut, so that they never wrap")
  mutating func width() {
    show(String(repeating: "x", count: 50), "y")
    show(String(repeating: "z", count: 50), "y")
    #expect(terminal.screen == [String(repeating: "z", count: 19), "y"])
  }

  @Test(
    "a terminal that becomes narrower wraps the lines, which are still replaced",
    arguments: [7, 10, 13])
  mutating func resizing(columns: Int) {
    message("hi")
    show("123456789012345", "abcdefghijkl", "short")
    terminal.resize(columns: columns)
    show("one", "two", "three")
    #expect(terminal.screen == ["hi", "one", "two", "three"])
    terminal.resize(columns: 30)
    message("there")
    #expect(terminal.screen == ["hi", "there", "one", "two", "three"])
  }

  @Test("keys that the terminal shows leave no trace")
  mutating func keys() {
    let full = String(repeating: "x", count: 19)
    show("one", full)
    terminal.write("^C")
    message("stopping")
    #expect(terminal.screen == ["stopping", "one", full])
    terminal.write("^C")
    show("two", full)
    #expect(terminal.screen == ["stopping", "two", full])
    terminal.write("^C")
    show()
    #expect(terminal.history == ["stopping"])
  }

  @Test("nothing is written for nothing")
  mutating func nothing() {
    #expect(lines.replacing(with: [], columns: 20) == "")
    #expect(lines.inserting("text", columns: 20) == "text\n")
  }
}

@Test("a log does not repeat the progress while nothing changes, as during a long save")
func progressLog() {
  var log = ProgressLines()
  #expect(log.news([]) == [])
  #expect(log.news(["10 episodes"]) == ["10 episodes"])
  #expect(log.news(["10 episodes  saving"]) == ["10 episodes  saving"])
  #expect(log.news(["10 episodes  saving"]) == [])
  #expect(log.news(["12 episodes"]) == ["12 episodes"])
  #expect(log.news(["10 episodes  saving"]) == ["10 episodes  saving"])
}

/// A terminal that knows the control sequences of progress lines, and wraps lines again when its size changes.
private struct SmallTerminal {
  private(set) var columns: Int
  private let rows: Int
  /// The rows so far. A row that is not the last one of its line has been wrapped.
  private var cells: [(text: [Character], isWrapped: Bool)] = [([], false)]
  private var row = 0
  private var column = 0

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Everything that was written and not erased.
  var history: [String] {
    var lines = cells.map { String($0.text) }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The rows on the screen.
  var screen: [String] { Array(history.suffix(rows)) }

  mutating func write(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n":
        (row, column) = (row + 1, 0)
        if row == cells.count { cells.append(([], false)) }
      case "\u{1B}":
        rest.removeFirst()
        let number = rest.prefix { $0.properties.numericType != nil }
        rest = rest.dropFirst(number.count)
        let count = Int(String(String.UnicodeScalarView(number))) ?? 0
        switch rest.removeFirst() {
        case "A": row = max(row - count, max(0, cells.count - rows))
        case "K":
          cells[row].text.removeLast(max(0, cells[row].text.count - column))
          cells[row].isWrapped = false
        case "J":
          cells[row].text.removeLast(max(0, cells[row].text.count - column))
          cells[row].isWrapped = false
          cells.removeSubrange((row + 1)...)
        default: Issue.record("unknown sequence")
        }
      default:
        if column == columns {
          cells[row].isWrapped = true
          (row, column) = (row + 1, 0)
          if row == cells.count { cells.append(([], false)) }
        }
        let missing = column - cells[row].text.count
        if missing > 0 { cells[row].text += Array(repeating: " ", count: missing) }
        if column < cells[row].text.count {
          cells[row].text[column] = Character(scalar)
        } else {
          cells[row].text.append(Character(scalar))
        }
        column += 1
      }
    }
  }

  /// Wraps all lines again; the cursor stays at the start of the last one, which is not wrapped yet.
  mutating func resize(columns: Int) {
    var lines: [[Character]] = [[]]
    for cell in cells {
      lines[lines.count - 1] += cell.text
      if !cell.isWrapped { lines.append([]) }
    }
    lines.removeLast()
    self.columns = columns
    cells = []
    for line in lines {
      row = cells.count
      var line = line[...]
      repeat {
        cells.append((Array(line.prefix(columns)), line.count > columns))
        line = line.dropFirst(columns)
      } while !line.isEmpty
    }
    column = 0
  }
}
