import Foundation
import Testing

extension PlayTerminalTests {
  private func waitForMoves(_ expected: Int, on terminal: PseudoTerminal) throws {
    try terminal.waitForScreen("move \(expected)") { PlayTerminalTests.moves($0) == expected }
  }

  @Test("the best score of a person's games is kept")
  func bestScore() throws {
    func end(_ program: Program) throws {
      terminal.type("q")
      #expect(try program.finish().code == 0)
    }
    let first = try play("--player", "greedy")
    terminal.type("sdsdsdsdsdsdsdsdn")
    try terminal.waitForScreen("all moves") { $0.contains { $0.contains("discard") } }
    let score = try #require(PlayTerminalTests.number(0, on: terminal.screen))
    #expect(score > 0)
    try end(first)
    try #require(terminal.text.hasSuffix("score \(score), seed 1\n"))
    #expect(try workspace.text("state/learn2048/best-score-4x4") == "\(score)\n")

    // The moves of a player do not count, and neither do those after a hint.
    let second = try play("--player", "greedy")
    try waitForMoves(0)
    #expect(PlayTerminalTests.number(1, on: terminal.screen) == score)
    terminal.type("?++++++++p")
    try terminal.waitForScreen("a better game") {
      PlayTerminalTests.number(0, on: $0) ?? 0 > score
    }
    #expect(PlayTerminalTests.number(1, on: terminal.screen) == score)
    try end(second)
    #expect(try workspace.text("state/learn2048/best-score-4x4") == "\(score)\n")
  }

  @Test("without a home directory, the end says that the game is not kept")
  func noHome() throws {
    let program = try play(
      "--player", "greedy", environment: ["HOME": "", "XDG_STATE_HOME": ""])
    terminal.type(try #require(PlayTerminalTests.arrows[hint()]))
    try waitForMoves(1)
    terminal.type("q")
    #expect(try program.finish().code == 0)
    #expect(
      terminal.text.contains(
        "learn2048: warning: games and best scores are not kept, because HOME is not an absolute path. Set HOME."
      ))
  }

  @Test("a game is kept, and the next play continues it", arguments: [nil, "mine"])
  func keeping(file: String?) throws {
    let options = file.map { ["--game", $0] } ?? []
    func playKept(
      _ check: @escaping (PseudoTerminal, Program) throws -> Void
    ) throws -> PseudoTerminal {
      let terminal = try PseudoTerminal()
      let program = try start(["--player", "greedy"] + options, on: terminal)
      try check(terminal, program)
      try terminal.settle()
      return terminal
    }
    var board: [String] = []
    func leave(_ terminal: PseudoTerminal, _ program: Program) throws {
      board = Array(terminal.screen[2..<19])
      terminal.type("q")
      #expect(try program.finish().code == 0)
    }
    let first = try playKept { terminal, program in
      terminal.type("wasdwasdwasd")
      try terminal.waitForScreen("moves") { PlayTerminalTests.moves($0) ?? 0 >= 4 }
      try terminal.settle()
      try leave(terminal, program)
    }
    let moves = try #require(PlayTerminalTests.moves(first.screen))
    let path = file ?? workspace.path("state/learn2048/game-4x4")
    let named = file.map { " --game \($0)" } ?? ""
    #expect(first.text.contains("learn2048 play --player greedy\(named)\n"))
    #expect(first.text.contains("learn2048 review \(path)"))
    let replayed = try workspace.run("replay", path)
    #expect(replayed.lines.first?.hasPrefix("# person, game 1 of 1") == true, "\(replayed)")
    #expect(replayed.lines.contains { $0.hasPrefix("\(moves) ") })
    #expect(try workspace.run("review", path, "--player", "montecarlo:simulations=2").code == 0)

    // A signal keeps it, too, and undo leads back beyond the start of the program.
    let before = board
    let second = try playKept { terminal, program in
      #expect(PlayTerminalTests.moves(terminal.screen) == moves)
      #expect(Array(terminal.screen[2..<19]) == before)
      #expect(terminal.screen.contains { $0.contains("Continued.") })
      terminal.type("uu")
      try waitForMoves(moves - 2, on: terminal)
      #expect(!terminal.screen.contains { $0.contains("Continued.") })
      terminal.type(" ")
      try waitForMoves(moves - 1, on: terminal)
      program.send(SIGHUP)
      #expect(try program.finish().code == 129)
    }
    #expect(!second.text.contains("seed"), "the seed of the program is not that of the game")
    let helped = try workspace.run("replay", path)
    #expect(helped.lines.first?.hasPrefix("# person with greedy, game") == true, "\(helped)")

    // A new game replaces it at once, and is continued as the person's own.
    _ = try playKept { terminal, program in
      try waitForMoves(moves - 1, on: terminal)
      terminal.type("nn")
      try waitForMoves(0, on: terminal)
      try leave(terminal, program)
    }
    _ = try playKept { terminal, program in
      #expect(PlayTerminalTests.moves(terminal.screen) == 0)
      try leave(terminal, program)
    }
    #expect(try workspace.run("replay", path).lines.first?.hasPrefix("# person, game") == true)
  }

  @Test(
    "a game that is over makes room for a new one, unless --game names its file",
    arguments: [nil, "kept"])
  func keptToTheEnd(file: String?) throws {
    let name = file ?? "state/learn2048/game-4x4"
    let path = workspace.path(name)
    let options = ["--player", "greedy"] + (file.map { ["--game", workspace.path($0)] } ?? [])
    let first = try start(options)
    terminal.type("++++++++p")
    try terminal.waitForScreen("the end") { $0.contains { $0.contains("Game over") } }
    terminal.type("q")
    #expect(try first.finish().code == 0)
    try terminal.settle()
    #expect(terminal.text.contains("learn2048 review \(path)"))
    #expect(!terminal.text.contains("to continue"))
    // It remains as it was until the new one has a move.
    let bytes = try workspace.directory.bytes(name)
    let other = try PseudoTerminal(columns: 200)
    if file == nil {
      let second = try start(options, on: other)
      #expect(PlayTerminalTests.moves(other.screen) == 0)
      other.type("q")
      #expect(try second.finish().code == 0)
    } else {
      let second = try Program(
        executable: Executable.path(), ["play"] + options, in: workspace.directory.path,
        environment: Workspace.environment(state), terminal: other.handle)
      #expect(try second.finish().code == 64)
      try other.settle()
      #expect(other.text.contains("\(path): this game is over"))
    }
    #expect(try workspace.directory.bytes(name) == bytes)
  }

  @Test("a kept game is not replaced by another window, or by --watch or --seed")
  func keptGameOfAnother() throws {
    let path = workspace.path("kept")
    let other = try PseudoTerminal()
    let (mine, others) = try (
      start(["--player", "greedy", "--game", path]),
      start(["--player", "greedy", "--game", path], on: other)
    )
    other.type("    ")
    try waitForMoves(4, on: other)
    other.type("q")
    #expect(try others.finish().code == 0)
    let bytes = try workspace.directory.bytes("kept")
    terminal.type(" ")
    try waitForMoves(1)
    terminal.type("q")
    #expect(try mine.finish().code == 0)
    try terminal.settle()
    // The other one was saved first, so this one goes to another file.
    #expect(terminal.text.contains("learn2048 play --player greedy --game \(path)-2\n"))
    #expect(try workspace.directory.bytes("kept") == bytes)
    #expect(try workspace.run("replay", "kept-2").lines.contains { $0.hasPrefix("1 ") })

    for option in ["--seed=1", "--watch"] {
      let terminal = try PseudoTerminal()
      let program = try Program(
        executable: Executable.path(), ["play", "--player", "greedy", option, "--game", path],
        in: workspace.directory.path, environment: Workspace.environment(state),
        terminal: terminal.handle)
      #expect(try program.finish().code == 64)
      try terminal.settle()
      let name = option.split(separator: "=")[0]
      #expect(terminal.text.contains("this game is not over, and \(name) is"))
    }
    #expect(try workspace.directory.bytes("kept") == bytes)
    let watching = try PseudoTerminal()
    let watch = try start(["--player", "greedy", "--watch"], on: watching)
    try watching.waitForScreen("moves") { PlayTerminalTests.moves($0) ?? 0 > 1 }
    watching.type("q")
    #expect(try watch.finish().code == 0)
    #expect(workspace.names(in: "state/learn2048").isEmpty)
  }

  @Test("a file that is not a kept game with these rules is an error")
  func notAGame() throws {
    func play(_ arguments: String..., expecting code: Int32, _ text: String) throws {
      let terminal = try PseudoTerminal(columns: 200)
      let program = try Program(
        executable: Executable.path(), ["play", "--game", "kept"] + arguments,
        in: workspace.directory.path, environment: Workspace.environment(state),
        terminal: terminal.handle)
      #expect(try program.finish().code == code)
      try terminal.settle()
      #expect(terminal.text.contains(text), "\(terminal.text)")
    }
    let games = ["evaluate", "--against", "random", "--record", "kept", "--games"]
    for count in ["1", "2"] {
      try #require(workspace.run(games + [count]).code == 0)
      try play("--player", "greedy", expecting: 64, "recorded games of random")
      try FileManager.default.removeItem(atPath: workspace.path("kept"))
    }
    let program = try start(["--player", "greedy", "--game", "kept"])
    terminal.type(" ")
    try waitForMoves(1)
    terminal.type("q")
    #expect(try program.finish().code == 0)
    try workspace.train("--run", "fours", "--set", "game.fourProbability=0.5")
    try play("--model", "fours", expecting: 64, "a probability of 0.1 for 4s, not 0.5")
    try workspace.train("--run", "small", "--set", "game.boardSize=3")
    try play("--model", "small", expecting: 64, "on 4x4, not 3x3")
    try workspace.damage("kept") { $0 - 1 }
    try play("--player", "greedy", expecting: 65, "Remove it, or name another file")
  }

  @Test(
    "the best score counts a continued game that is the person's own", arguments: [true, false])
  func bestScoreOfContinued(isOwn: Bool) throws {
    let first = try start(["--player", "greedy"])
    if isOwn {
      terminal.type(String(repeating: "wasd", count: 10))
    } else {
      terminal.type(String(repeating: " ", count: 30))
    }
    try terminal.waitForScreen("moves") { PlayTerminalTests.number(0, on: $0) ?? 0 > 16 }
    try terminal.settle()
    let score = try #require(PlayTerminalTests.number(0, on: terminal.screen))
    terminal.type("q")
    #expect(try first.finish().code == 0)
    try? FileManager.default.removeItem(
      atPath: workspace.path("state/learn2048/best-score-4x4"))
    let other = try PseudoTerminal()
    let second = try start(["--player", "greedy"], on: other)
    #expect(PlayTerminalTests.number(0, on: other.screen) == score)
    #expect(PlayTerminalTests.number(1, on: other.screen) == (isOwn ? score : 0))
    other.type("q")
    #expect(try second.finish().code == 0)
    #expect(workspace.exists("state/learn2048/best-score-4x4") == isOwn)
  }

  @Test("a best score that cannot be kept is a warning")
  func unwritableBestScore() throws {
    try workspace.write("", "state")
    let program = try play("--player", "greedy")
    terminal.type(String(repeating: "wasd", count: 30))
    try terminal.waitForScreen("points") { PlayTerminalTests.number(1, on: $0) ?? 0 > 0 }
    terminal.type("q")
    #expect(try program.finish().code == 0)
    try expectRestored()
    #expect(terminal.text.contains("learn2048: warning: the best score is not kept. "))
  }
}
