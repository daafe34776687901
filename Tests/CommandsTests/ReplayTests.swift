import Foundation
import Testing

@Suite("replay")
struct ReplayTests {
  private let workspace: Workspace
  private let report: JSON

  init() throws {
    workspace = try Workspace()
    let outcome = try workspace.run(
      "evaluate", "--against", "random", "--against", "heuristic:depth=1", "--games", "3",
      "--seed", "9", "--record", "games", "--csv", "games.csv", "--json")
    try #require(outcome.code == 0, "\(outcome)")
    report = try JSON(outcome.output)
  }

  /// The fields of the line about a game in the table.
  private func row(_ game: Int, _ player: String) throws -> [String] {
    let line = try workspace.text("games.csv").split(separator: "\r\n").first {
      $0.hasPrefix("\(game),\(player),")
    }
    return try #require(line).split(separator: ",").map(String.init)
  }

  @Test(
    "elsewhere than on a terminal a game is lines",
    arguments: [
      ([], 1, "random"),
      (["--game", "3", "--player", "heuristic:depth=1"], 3, "heuristic:depth=1"),
    ])
  func text(options: [String], game: Int, player: String) throws {
    let outcome = try workspace.run(["replay", "games"] + options)
    try #require(outcome.code == 0, "\(outcome)")
    #expect(!outcome.output.contains("\u{1B}"))
    let row = try row(game, player)
    #expect(outcome.lines[0] == "# \(player), game \(game) of 3, seed 9")
    #expect(outcome.lines[1].hasPrefix("0 start 0 "))
    let last = try #require(outcome.lines.last)
    #expect(last.replacing(",", with: "") == "score \(row[2]) in \(row[3]) moves")
    let moves = outcome.lines.filter { $0.contains(#/^\d+ (up|down|left|right) \+\d+ /#) }
    #expect(String(moves.count) == row[3])
    #expect(try #require(moves.last).contains(" \(row[2]) "))
  }

  @Test("games that are not there are usage errors")
  func missing() throws {
    let game = try workspace.run("replay", "games", "--game", "4")
    #expect(game.code == 64 && game.errors.contains("The last is 3"), "\(game)")
    let player = try workspace.run("replay", "games", "--player", "greedy")
    #expect(player.code == 64, "\(player)")
    #expect(player.errors.contains("random, heuristic:depth=1"))
    let file = try workspace.run("replay", "none")
    #expect(file.code == 66 && file.errors.contains("none"), "\(file)")
  }

  @Test("damage is found, with its place", arguments: [0.0, 0.1, 0.5, 1])
  func damage(place: Double) throws {
    try workspace.damage("games") { Int(place * Double($0 - 1)) }
    let outcome = try workspace.run("replay", "games")
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("games: ") && outcome.errors.contains("byte "), "\(outcome)")
  }

  @Test("on a terminal the game runs, stops, goes back and forth")
  func terminal() throws {
    let terminal = try PseudoTerminal()
    let attributes = terminal.attributes
    let program = try Program(
      executable: Executable.path(), ["replay", "games"], in: workspace.directory.path,
      environment: Workspace.environment(), terminal: terminal.handle)
    func waitForMoves(_ expected: Int) throws {
      try terminal.waitForScreen("move \(expected)") {
        $0.first?.hasSuffix("moves \(expected)") ?? false
      }
    }
    try terminal.waitForScreen("a few moves") {
      $0.first?.contains(#/moves ([3-9]|\d\d+)$/#) ?? false
    }
    let row = try row(1, "random")
    terminal.type("\u{1B}[B")
    try waitForMoves(try #require(Int(row[3])))
    try terminal.waitForScreen("the end") { $0.contains { $0.contains("The game is over.") } }
    #expect(terminal.screen[0].hasPrefix("score "))
    #expect(terminal.screen.contains { $0.contains("random, game 1 of 3, seed 9") })
    terminal.type("\u{1B}[A")
    try waitForMoves(0)
    for place in 1...3 {
      terminal.type("\u{1B}[C")
      try waitForMoves(place)
    }
    terminal.type("\u{1B}[D")
    try waitForMoves(2)
    terminal.type("q")
    #expect(try program.finish().code == 0)
    try terminal.settle()
    #expect(terminal.attributes == attributes)
  }
}
