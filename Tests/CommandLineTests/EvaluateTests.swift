import Foundation
import Testing

@Suite("evaluate")
struct EvaluateTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  private func evaluate(_ arguments: String...) throws -> String {
    let outcome = try workspace.run(["evaluate"] + arguments + ["--json"])
    try #require(outcome.code == 0, "\(outcome)")
    #expect(outcome.lines.count == 1, "one document, and nothing else")
    return outcome.output
  }

  @Test("--json prints the documented document")
  func schema() throws {
    let report = try JSON(
      evaluate("--against", "random", "--against", "greedy", "--games", "20", "--seed", "5"))
    #expect(report.keys == ["games", "seed", "players", "comparisons"])
    #expect(report["games"].integer == 20)
    #expect(report["seed"].integer == 5)
    let players = report["players"].array
    #expect(players.map { $0["name"].string } == ["random", "greedy"])
    for player in players {
      #expect(
        player.keys == [
          "name", "games", "score", "reached", "reachedCi95", "moves", "movesPerSecond",
        ])
      #expect(player["games"].integer == 20)
      #expect(try #require(player["moves"].integer) > 20 * 50)
      #expect(try #require(player["movesPerSecond"].number) > 0)
      let score = player["score"]
      #expect(score.keys == ["mean", "ci95", "median", "max"])
      let mean = try #require(score["mean"].number)
      try expectInterval(score["ci95"], around: mean)
      let median = try #require(score["median"].number)
      let highest = try #require(score["max"].number)
      #expect(0 < median && median <= highest && mean <= highest)
      let rates = player["reached"].keys.map { player["reached"][$0].number ?? -1 }
      #expect(!rates.isEmpty && rates.allSatisfy { (0...1).contains($0) })
      #expect(player["reached"].keys.allSatisfy { Int($0)?.nonzeroBitCount == 1 })
      #expect(player["reachedCi95"].keys == player["reached"].keys)
      for tile in player["reached"].keys {
        try expectInterval(
          player["reachedCi95"][tile], around: try #require(player["reached"][tile].number))
      }
    }

    let comparisons = report["comparisons"].array
    #expect(comparisons.count == 1)
    #expect(
      comparisons[0].keys == ["a", "b", "meanDifference", "ci95", "ratio", "ratioCi95"])
    #expect(comparisons[0]["a"].string == "random" && comparisons[0]["b"].string == "greedy")
    let means = try players.map { try #require($0["score"]["mean"].number) }
    let difference = try #require(comparisons[0]["meanDifference"].number)
    #expect(abs(difference - (means[0] - means[1])) < 1e-6)
    try expectInterval(comparisons[0]["ci95"], around: difference)
    let ratio = try #require(comparisons[0]["ratio"].number)
    #expect(abs(ratio - means[0] / means[1]) < 1e-9)
    try expectInterval(comparisons[0]["ratioCi95"], around: ratio)
  }

  private func expectInterval(_ interval: JSON, around value: Double) throws {
    #expect(interval.array.count == 2)
    let (low, high) = try (
      #require(interval[0].number), #require(interval[1].number)
    )
    #expect(low <= value && value <= high)
  }

  @Test("threads change nothing but the speed")
  func threads() throws {
    try workspace.train()
    let results = try ["1", "2", "5"].map { threads in
      try evaluate(
        "tiny", "--against", "random", "--against", "expectimax:depth=1", "--games", "20",
        "--threads", threads
      ).replacing(#/"movesPerSecond":[0-9.e+-]+/#, with: "")
    }
    #expect(results[1] == results[0])
    #expect(results[2] == results[0])
  }

  @Test("the seed decides the games")
  func seeds() throws {
    let results = try ["1", "1", "2"].map { seed in
      try JSON(evaluate("--against", "random", "--games", "10", "--seed", seed))["players"][0][
        "score"]
    }
    #expect(results[0] == results[1])
    #expect(results[0] != results[2])
  }

  @Test("a model plays at one and at two plies, unless --depth names others")
  func depths() throws {
    try workspace.train()
    func names(_ report: String) throws -> [String] {
      try JSON(report)["players"].array.compactMap { $0["name"].string }
    }
    #expect(
      try names(evaluate("tiny", "--games", "2")) == [
        "learned:model=tiny,depth=1", "learned:model=tiny,depth=2",
      ])
    #expect(
      try names(evaluate("tiny", "--games", "2", "--depth", "1")) == ["learned:model=tiny,depth=1"])
    let both = try JSON(
      evaluate("tiny", "tiny@300", "--games", "2", "--depth", "2", "--depth", "1"))
    #expect(both["players"].array.count == 4)
    #expect(both["comparisons"].array.count == 6)
    // The same weights at the same depth play the same games.
    #expect(both["players"][0]["score"] == both["players"][2]["score"])
  }

  @Test("without --json there is a table")
  func table() throws {
    let outcome = try workspace.run(
      "evaluate", "--against", "random", "--against", "greedy", "--games", "10")
    #expect(outcome.code == 0)
    #expect(outcome.lines.count == 8)
    for (line, start) in zip(
      outcome.lines,
      [
        "player ", "random ", "greedy ", "games that reached ", "random ", "greedy ",
        "random - greedy: -", "seed 1, ",
      ])
    { #expect(line.hasPrefix(start)) }
    #expect(outcome.lines[4].contains(#/ \d+\.\d% \[\d+\.\d, \d+\.\d\]/#))
    #expect(outcome.errors == "", "ten games are too few for progress")
  }

  @Test("models of boards of different sizes are not compared")
  func sizes() throws {
    try workspace.train("--run", "large")
    try workspace.train(
      "--run", "small", "--set", "game.boardSize=3", "--set", #"network.patterns=["012","45"]"#)
    let outcome = try workspace.run("evaluate", "large", "small", "--games", "2")
    #expect(outcome.code == 64, "\(outcome)")
    #expect(try JSON(evaluate("small", "--games", "2"))["games"].integer == 2)
  }
}
