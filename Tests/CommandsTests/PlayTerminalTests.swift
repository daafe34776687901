import Foundation
import Testing

@Suite("play on a terminal")
struct PlayTerminalTests {
  let workspace: Workspace
  let terminal: PseudoTerminal
  let attributes: [UInt64]
  static let arrows = [
    "up": "\u{1B}[A", "down": "\u{1B}[B", "right": "\u{1B}[C", "left": "\u{1B}[D",
  ]

  init() throws {
    workspace = try Workspace()
    terminal = try PseudoTerminal()
    attributes = terminal.attributes
  }

  /// The directory that keeps the best score.
  var state: [String: String] { ["XDG_STATE_HOME": workspace.path("state")] }

  func play(
    _ arguments: String..., environment: [String: String] = [:], on terminal: PseudoTerminal? = nil
  ) throws -> Program {
    try start(["--seed", "1"] + arguments, environment: environment, on: terminal)
  }

  func start(
    _ arguments: [String], environment: [String: String] = [:], on terminal: PseudoTerminal? = nil
  ) throws -> Program {
    let terminal = terminal ?? self.terminal
    let program = try Program(
      executable: Executable.path(), ["play"] + arguments,
      in: workspace.directory.path,
      environment: Workspace.environment(state.merging(environment) { $1 }),
      terminal: terminal.handle)
    try terminal.waitForScreen("the first picture") { $0.count > 2 }
    return program
  }

  /// The number of moves on the screen.
  static func moves(_ screen: [String]) -> Int? { number(2, on: screen) }

  /// A number of the first line: the score, the best score or the moves.
  static func number(_ place: Int, on screen: [String]) -> Int? {
    let line = screen.first?.replacing("score with help", with: "score")
    guard let head = line?.split(separator: " "), head.count == 6 else { return nil }
    return Int(head[2 * place + 1].replacing(",", with: ""))
  }

  func waitForMoves(_ expected: Int) throws {
    try terminal.waitForScreen("move \(expected)") { PlayTerminalTests.moves($0) == expected }
  }

  /// Asks for a hint, and returns the direction that it names.
  func hint() throws -> String {
    terminal.type("?")
    try terminal.waitForScreen("a hint") { $0.contains { $0.contains("hint: ") } }
    let line = try #require(terminal.screen.first { $0.contains("hint: ") })
    return try #require(line.split(separator: " ").last.map(String.init))
  }

  /// Presses a key, and waits until the player thinks, of which nothing is on the screen.
  func typeAndWaitForThought(_ key: String, _ program: Program) throws {
    #if os(Linux)
      /// Hundredths of a second that the program has computed for: the 14th field, of which the
      /// second is a name in brackets.
      func ticks() throws -> Int {
        let text = try String(
          contentsOfFile: "/proc/\(program.identifier)/stat", encoding: .utf8)
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        return try #require(Int(fields[11]))
      }
      let before = try ticks()
      terminal.type(key)
      try wait(for: "a thought") { try ticks() >= before + 20 }
    #else
      terminal.type(key)
      Thread.sleep(forTimeInterval: 1)
    #endif
  }

  /// Checks that the terminal is as it was, and the screen of the game left.
  func expectRestored(_ terminal: PseudoTerminal? = nil) throws {
    let terminal = terminal ?? self.terminal
    try terminal.settle()
    #expect(terminal.attributes == attributes)
    let text = terminal.text
    let enter = try #require(text.range(of: "\u{1B}[?1049h", options: .backwards))
    let leave = try #require(text.range(of: "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"))
    #expect(enter.upperBound < leave.lowerBound)
    #expect(!text[leave.upperBound...].contains("\u{1B}"))
  }

  @Test("moves that are typed while the player thinks are not made")
  func typedMeanwhile() throws {
    let program = try play("--player", "heuristic:time=2000")
    try typeAndWaitForThought("?", program)
    // One of each four is legal; a held key sends more than one read takes.
    terminal.type(String(repeating: "wasd", count: 200))
    try terminal.waitForScreen("a hint") { $0.contains { $0.contains("hint: ") } }
    try terminal.settle()
    #expect(PlayTerminalTests.moves(terminal.screen) == 0)
    #expect(terminal.screen.contains { $0.contains("hint: ") })
    terminal.type("q")
    #expect(try program.finish().code == 0)
  }

  @Test("the board is drawn, keys move it, and q gives the terminal back")
  func playing() throws {
    let program = try play("--player", "greedy")
    #expect(terminal.attributes != attributes, "keys arrive one by one and unseen")
    #expect(terminal.screen[0] == "score 0   best 0   moves 0")
    #expect(terminal.screen.count == 25)
    let tiles = terminal.screen[2..<19].joined().split(separator: " ").compactMap { Int($0) }
    #expect(tiles.count == 2 && tiles.allSatisfy { $0 == 2 || $0 == 4 })

    // An arrow, the letters and the space bar each make a move.
    terminal.type(try #require(PlayTerminalTests.arrows[hint()]))
    try waitForMoves(1)
    #expect(!terminal.screen.contains { $0.contains("hint: ") }, "a hint is for one board")
    for (number, keys) in [
      ["up": "w", "left": "a", "down": "s", "right": "d"],
      ["up": "k", "left": "h", "down": "j", "right": "l"],
      ["up": "K", "left": "H", "down": "J", "right": "L"],
    ].enumerated() {
      terminal.type(try #require(keys[hint()]))
      try waitForMoves(2 + number)
    }
    terminal.type(" ")
    try waitForMoves(5)
    terminal.type("  ")
    try waitForMoves(7)

    // The player plays on by itself until it is stopped.
    terminal.type("+p")
    try terminal.waitForScreen("the player's moves") { PlayTerminalTests.moves($0) ?? 0 > 9 }
    #expect(terminal.screen.contains { $0.contains("p stops it") })
    // Keys are the same with caps lock.
    terminal.type("P")
    try terminal.waitForScreen("the end of them") { !$0.contains { $0.contains("p stops it") } }

    // A new game discards this one, so the key is pressed twice; another key keeps the game.
    let moves = try #require(PlayTerminalTests.moves(terminal.screen))
    terminal.type("n")
    try terminal.waitForScreen("a question") { $0.contains { $0.contains("Press n again") } }
    terminal.type("x")
    try terminal.waitForScreen("no question") { !$0.contains { $0.contains("Press n again") } }
    terminal.type("n")
    try terminal.waitForScreen("a question") { $0.contains { $0.contains("Press n again") } }
    #expect(PlayTerminalTests.moves(terminal.screen) == moves)
    terminal.type("N")
    try waitForMoves(0)
    terminal.type("Q")
    #expect(try program.finish().code == 0)
    try expectRestored()
    #expect(terminal.text.hasSuffix("score 0, seed 2\n"))
  }

  @Test("moves are undone, back to the first board")
  func undo() throws {
    let program = try play("--player", "greedy")
    func board() -> ArraySlice<String> { terminal.screen[2..<19] }
    var boards = [board()]
    for number in 1...5 {
      terminal.type(" ")
      try waitForMoves(number)
      boards.append(board())
    }
    for number in [4, 3] {
      terminal.type("u")
      try waitForMoves(number)
      #expect(board() == boards[number])
    }
    // The person continues from there.
    terminal.type(" ")
    try waitForMoves(4)
    terminal.type("uuuuuuuu")
    try waitForMoves(0)
    #expect(board() == boards[0])
    #expect(terminal.screen[0] == "score 0   best 0   moves 0")
    terminal.type("q")
    #expect(try program.finish().code == 0)
  }

  @Test("a hint has the loss of every other legal move")
  func losses() throws {
    let program = try play("--player", "greedy")
    let best = try hint()
    #expect(terminal.screen[0] == "score with help 0   best 0   moves 0")
    // Only the best move is not listed, and moves that are not legal.
    let line = try #require(terminal.screen.first { $0.hasPrefix("losses: ") })
    let losses = line.dropFirst(8).split(separator: "  ")
    #expect((1...3).contains(losses.count))
    for loss in losses { #expect(loss.wholeMatch(of: #/[↑↓←→] [0-9,.]+/#) != nil, "\(line)") }
    let arrows = ["up": "↑", "down": "↓", "left": "←", "right": "→"]
    #expect(!losses.contains { $0.hasPrefix(arrows[best] ?? "?") })
    terminal.type("q")
    #expect(try program.finish().code == 0)
  }

  @Test("the end of the input ends the game")
  func controlD() throws {
    let program = try play("--player", "greedy")
    terminal.type("\u{4}")
    #expect(try program.finish().code == 0)
    try expectRestored()
  }

  @Test("a seed decides the game")
  func seeded() throws {
    let screens = try (0..<2).map { _ in
      let terminal = try PseudoTerminal()
      let program = try play("--player", "rules", on: terminal)
      terminal.type("      ")
      try terminal.waitForScreen("six moves") { PlayTerminalTests.moves($0) == 6 }
      terminal.type("q")
      #expect(try program.finish().code == 0)
      return terminal.screen
    }
    #expect(screens[0] == screens[1])
  }

  @Test(
    "a signal gives the terminal back",
    arguments: [EndingSignal.interrupt, .terminate, .hangUp])
  func signals(signal: EndingSignal) throws {
    let program = try play("--player", "greedy", "--watch")
    program.send(signal.number)
    #expect(try program.finish().code == signal.code)
    try expectRestored()
  }

  @Test("a signal ends a search that takes long", arguments: ["?", " "])
  func impatience(key: String) throws {
    let program = try play("--player", "expectimax:depth=8")
    // Some moves on, a search of eight plies takes minutes.
    terminal.type(key)
    usleep(300_000)
    program.send(SIGTERM)
    #expect(try program.finish().code == 143)
    try expectRestored()
    #expect(PlayTerminalTests.moves(terminal.screen) == 0)
  }

  @Test("Ctrl-Z gives the terminal back, and the game goes on afterwards")
  func suspension() throws {
    #if os(Linux)
      let program = try play("--player", "greedy")
      terminal.type(" ")
      try waitForMoves(1)
      // It stops its group, as a terminal does, which had better not be ours.
      try #require(getpgid(program.identifier) != getpgrp())
      terminal.type("\u{1A}")
      try wait(for: "the stop of the program") {
        let status = try String(
          contentsOfFile: "/proc/\(program.identifier)/status", encoding: .utf8)
        return status.contains("State:\tT")
      }
      try expectRestored()
      program.send(SIGCONT)
      try wait(for: "the game's screen") {
        terminal.text.components(separatedBy: "[?1049h").count == 3
      }
      terminal.type(" ")
      try waitForMoves(2)
      terminal.type("q")
      #expect(try program.finish().code == 0)
      #expect(terminal.attributes == attributes)
    #endif
  }

  @Test(
    "colours follow the terminal, and can be switched off",
    arguments: [
      ([:], [], "\u{1B}[48;5;"), (["COLORTERM": "truecolor"], [], "\u{1B}[48;2;"),
      (["NO_COLOR": "1"], [], nil), (["NO_COLOR": "1", "COLORTERM": "truecolor"], [], nil),
      ([:], ["--no-color"], nil), (["COLORTERM": "truecolor"], ["--no-color"], nil),
      (["NO_COLOR": ""], [], "\u{1B}[48;5;"),
    ] as [([String: String], [String], String?)])
  func colours(environment: [String: String], options: [String], sequence: String?) throws {
    let program = try Program(
      executable: Executable.path(), ["play", "--player", "greedy"] + options,
      in: workspace.directory.path,
      environment: Workspace.environment(environment.merging(state) { $1 }),
      terminal: terminal.handle)
    try terminal.waitForScreen("the first picture") { $0.count > 2 }
    terminal.type("q")
    #expect(try program.finish().code == 0)
    try terminal.settle()
    if let sequence {
      #expect(terminal.text.contains(sequence))
    } else {
      #expect(terminal.text.firstMatch(of: #/\u{1B}\[[0-9;]*[34]8;/#) == nil)
      #expect(terminal.text.contains("|"), "lines stand in for the colours")
    }
  }

  @Test("a training shows its progress on one line of a terminal", arguments: ["xterm", "dumb"])
  func progress(kind: String) throws {
    let program = try Program(
      executable: Executable.path(), ["train", "--config", "tiny.json", "--episodes", "1e9"],
      in: workspace.directory.path, environment: Workspace.environment(["TERM": kind]),
      terminal: terminal.handle)
    if kind == "dumb" {
      try terminal.waitForText("training Models/tiny")
      // Longer than it takes to the first progress elsewhere.
      usleep(500_000)
    } else {
      try terminal.waitForText("\u{1B}[K", count: 3)
    }
    try program.waitForHandler(of: SIGTERM)
    program.send(SIGTERM)
    #expect(try program.finish().code == 143)
    try terminal.settle()
    #expect(terminal.text.contains("\u{1B}") == (kind == "xterm"))
    #expect(terminal.text.hasSuffix("learn2048 train --resume Models/tiny\n"))
  }

  @Test("a small terminal gets a small board", arguments: [(60, 22, 13), (40, 12, 12), (30, 8, 8)])
  func smallTerminal(columns: Int, rows: Int, lines: Int) throws {
    let terminal = try PseudoTerminal(columns: UInt16(columns), rows: UInt16(rows))
    let program = try play("--player", "greedy", on: terminal)
    #expect(terminal.screen.count == lines)
    #expect(terminal.screen.allSatisfy { $0.count <= columns })
    terminal.type("q")
    #expect(try program.finish().code == 0)
  }
}
