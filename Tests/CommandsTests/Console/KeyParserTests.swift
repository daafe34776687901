import Game2048
import Testing

@testable import Commands

@Suite("Keys")
struct KeyParserTests {
  private static let escape: UInt8 = 0x1B

  private func keys(_ text: String) -> [Key] {
    var parser = KeyParser()
    return parser.parse(text.utf8) + parser.flush()
  }

  @Test(
    "letters move, in either case",
    arguments: [
      ("wWkK", Direction.up), ("sSjJ", .down), ("aAhH", .left), ("dDlL", .right),
    ])
  func letters(text: String, direction: Direction) {
    #expect(keys(text) == Array(repeating: .move(direction), count: 4))
  }

  @Test("arrows move, in the form of either cursor mode", arguments: ["[", "O"])
  func arrows(introducer: String) {
    let text = ["A", "B", "C", "D"].map { "\u{1B}" + introducer + $0 }.joined()
    #expect(keys(text) == [.move(.up), .move(.down), .move(.right), .move(.left)])
  }

  @Test("an arrow may arrive in pieces", arguments: [1, 2], ["[", "O"])
  func splitArrow(length: Int, introducer: String) {
    let bytes = Array("\u{1B}\(introducer)D".utf8)
    var parser = KeyParser()
    #expect(parser.parse(bytes[..<length]) == [])
    #expect(parser.parse(bytes[length...]) == [.move(.left)])
    #expect(parser.flush() == [])
  }

  @Test("an arrow may arrive byte by byte, between other keys")
  func byteByByte() {
    var parser = KeyParser()
    var keys: [Key] = []
    for byte in "q\u{1B}[Aw\u{1B}OB?".utf8 { keys += parser.parse([byte]) }
    #expect(
      keys == [
        .character("q"), .move(.up), .move(.up), .move(.down), .character("?"),
      ])
  }

  @Test("an escape without a sequence is the escape key once nothing follows")
  func escapeAlone() {
    var parser = KeyParser()
    #expect(parser.parse([KeyParserTests.escape]) == [])
    #expect(parser.flush() == [.escape])
    #expect(parser.flush() == [])
    #expect(parser.parse("A".utf8) == [.move(.left)])
  }

  @Test("an escape before another key is a separate key")
  func escapeBeforeKey() {
    #expect(keys("\u{1B}q") == [.escape, .character("q")])
    #expect(keys("\u{1B}\u{1B}[C") == [.escape, .move(.right)])
    #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
  }

  @Test(
    "unknown sequences are skipped completely",
    arguments: [
      "\u{1B}[[A", "\u{1B}[[D", "\u{1B}[3~", "\u{1B}[H", "\u{1B}[1;5P", "\u{1B}OP", "\u{1B}[200~",
      "\u{1B}[?1;2c",
    ])
  func unknownSequences(text: String) {
    #expect(keys(text + "n") == [.character("n")])
  }

  @Test("an arrow with a modifier is that arrow")
  func modifiedArrow() {
    #expect(keys("\u{1B}[1;5C") == [.move(.right)])
  }

  @Test("a sequence that never ends is dropped when nothing follows")
  func unfinishedSequence() {
    var parser = KeyParser()
    #expect(parser.parse("\u{1B}[1;".utf8) == [])
    #expect(parser.flush() == [])
    #expect(parser.parse("q".utf8) == [.character("q")])
  }

  @Test("caps lock changes nothing")
  func capitals() {
    #expect(keys("QNPC") == keys("qnpc"))
  }

  @Test("other characters are passed on if they are ASCII")
  func characters() {
    #expect(keys("? +p\u{4}") == ["?", " ", "+", "p", "\u{4}"].map { .character($0) })
    #expect(keys("é→q") == [.character("q")])
    #expect(keys("") == [])
  }
}
