import Foundation
import Testing

@Suite("play without a terminal")
struct PlayTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  @Test("a person needs one")
  func noTerminal() throws {
    let outcome = try workspace.run("play")
    #expect(outcome.code == 64)
    #expect(outcome.output == "")
    #expect(
      outcome.errors
        == "learn2048: standard input and output are not a terminal. "
        + "Use --watch to print one game.\n")
  }

  @Test("a game is kept on a terminal only")
  func noTerminalToKeep() throws {
    let outcome = try workspace.run("play", "--watch", "--player", "greedy", "--game", "kept")
    #expect(outcome.code == 64 && outcome.errors.contains("evaluate --record"), "\(outcome)")
    #expect(!workspace.exists("kept"))
  }

  @Test("--watch prints a game, which the seed decides")
  func watch() throws {
    let outcomes = try ["3", "3", "4"].map {
      try workspace.run("play", "--watch", "--player", "greedy", "--seed", $0)
    }
    for outcome in outcomes {
      #expect(outcome.code == 0, "\(outcome)")
      #expect(!outcome.output.contains("\u{1B}"))
      let last = try #require(outcome.lines.last)
      #expect(
        last.wholeMatch(of: #/score [\d,]+ in [\d,]+ moves \(greedy, seed \d\)/#) != nil,
        "\(outcome)")
    }
    #expect(outcomes[0].output == outcomes[1].output)
    #expect(outcomes[0].output != outcomes[2].output)
  }

  @Test("the random source decides the spawns")
  func randomSources() throws {
    let outcomes = try ["xoshiro256++", "mt19937-64", "java-lcg48", "arc4"].map {
      try workspace.run(
        "play", "--watch", "--player", "greedy", "--seed", "3", "--random-source", $0
      ).output
    }
    #expect(Set(outcomes).count == 4)
    let standard = try workspace.run("play", "--watch", "--player", "greedy", "--seed", "3")
    #expect(standard.output == outcomes[0])
    let wrong = try workspace.run("play", "--watch", "--random-source", "dice")
    #expect(wrong.code == 64 && wrong.errors.contains("mt19937-64"), "\(wrong)")
  }

  @Test("the player is the model's, else the newest run's or the heuristic if no model ships")
  func players() throws {
    let heuristic = try workspace.run("play", "--watch", "--seed", "1")
    #expect(heuristic.output.contains("(heuristic:depth=3, seed 1)"), "\(heuristic)")
    try workspace.train("--run", "older")
    try workspace.train("--run", "newer")
    let newest = try workspace.run("play", "--watch", "--seed", "1")
    #expect(newest.output.contains("(learned:model=newer,depth=3, seed 1)"), "\(newest)")
    let note = "There is no bundled model here. Using the newest run, newer.\n"
    #expect(newest.errors.components(separatedBy: note).count == 2, "\(newest)")
    let analysis = try workspace.run("analyze", "--board", "1200000000000000")
    #expect(analysis.errors.components(separatedBy: note).count == 2, "\(analysis)")
    let named = try workspace.run("play", "--watch", "--seed", "1", "--model", "older")
    #expect(named.output.contains("(learned:model=older,depth=3, seed 1)"), "\(named)")
    let both = try workspace.run("play", "--watch", "--model", "older", "--player", "random")
    #expect(both.code == 64)
    #expect(both.errors.contains("learned:model=older"), "\(both)")
  }
}
