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
    let starts = [
      "player ", "random ", "greedy ", "reached ", "random ", "greedy ", "reached ", "random ",
      "greedy ",
      "difference ", "random - greedy  -", "seed 1, ", "bootstrap ", "wrong ",
    ]
    #expect(outcome.lines.count == starts.count, "\(outcome)")
    for (line, start) in zip(outcome.lines, starts) {
      #expect(line.hasPrefix(start) && line.count <= 80, "\(line)")
    }
    #expect(outcome.lines[4].contains(#/ \d+\.\d% \[\d+\.\d, \d+\.\d\]/#))
    #expect(outcome.errors == "", "ten games are too few for progress")
  }

  @Test("long names have numbers in the tables, and all are compared with the first")
  func manyPlayers() throws {
    let players = ["random", "greedy", "rules", "expectimax:evaluator=emptyCells,depth=1"]
    let outcome = try workspace.run(
      ["evaluate", "--games", "10"] + players.flatMap { ["--against", $0] })
    #expect(outcome.lines.allSatisfy { $0.count <= 80 }, "\(outcome)")
    #expect(outcome.lines.prefix(4) == players.enumerated().map { "\($0 + 1)  \($1)" }[...])
    let differences = outcome.lines.filter { $0.contains(" - ") && !$0.hasPrefix("seed") }
      .map { $0.prefix(5) }
    #expect(differences == ["1 - 2", "1 - 3", "1 - 4"])
    #expect(outcome.output.contains("--json has"))
  }

  @Test("--start plays from boards, which all players share")
  func startBoards() throws {
    try workspace.write(
      "# late\n9870000000000001\n512 256 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 2 2\n\nA900000000000001\n",
      "boards.txt")
    let report = try JSON(
      evaluate("--against", "rules", "--against", "greedy", "--start", "boards.txt", "--csv", "csv")
    )
    #expect(report["games"].integer == 3 && report["startBoards"].integer == 3)
    let comparison = report["comparisons"][0]
    for player in report["players"].array {
      // The first tile that some board does not have is 1024, and counts for the boards below it.
      #expect(player["reached"].keys.contains("1024") && !player["reached"].keys.contains("512"))
    }
    #expect(comparison["reachedDifference"].keys == report["players"][0]["reached"].keys)
    #expect(comparison["reachedDifferenceCi95"].keys == report["players"][0]["reached"].keys)
    for tile in comparison["reachedDifference"].keys {
      let shares = try report["players"].array.map { try #require($0["reached"][tile].number) }
      let difference = try #require(comparison["reachedDifference"][tile].number)
      #expect(abs(difference - (shares[0] - shares[1])) < 1e-9)
      try expectInterval(comparison["reachedDifferenceCi95"][tile], around: difference)
    }
    let rows = try workspace.text("csv").split(separator: "\r\n")
    #expect(rows[0].hasSuffix(",start"))
    #expect(
      rows.dropFirst().map { $0.suffix(16) } == [
        "9870000000000001", "9870000000000001", "9800000000000011", "9800000000000011",
        "A900000000000001", "A900000000000001",
      ])
    // More games repeat the boards with other spawns.
    let more = try JSON(
      evaluate("--against", "rules", "--start", "boards.txt", "--games", "30"))
    #expect(more["games"].integer == 30 && more["startBoards"].integer == 3)
    let table = try workspace.run("evaluate", "--against", "rules", "--start", "boards.txt")
    #expect(table.output.contains("from 3 boards, seed 1"))
  }

  @Test("--start plays on recorded games")
  func startRecords() throws {
    let recorded = try workspace.run(
      "evaluate", "--against", "greedy", "--games", "20", "--record", "games")
    #expect(recorded.code == 0)
    let first = try workspace.run("replay", "games", "--first", "256")
    #expect(first.code == 0 && first.lines.count > 3)
    #expect(first.lines.allSatisfy { $0.count == 16 && $0.contains("8") && !$0.contains("9") })
    let both = try workspace.run("replay", "games", "--first", "64,128")
    #expect(both.code == 0 && both.lines.count > 3)
    #expect(both.lines.allSatisfy { $0.contains("6") && $0.contains("7") })
    try workspace.write(first.output, "boards.txt")
    let fromGames = try evaluate("--against", "greedy", "--start", "games", "--from", "256")
    #expect(try JSON(fromGames)["games"].integer == first.lines.count)
    func withoutSpeed(_ text: String) -> String {
      text.replacing(#/"movesPerSecond":[0-9.e+-]+/#, with: "")
    }
    #expect(
      try withoutSpeed(fromGames)
        == withoutSpeed(evaluate("--against", "greedy", "--start", "boards.txt")))
  }

  @Test(
    "what cannot be a start is rejected",
    arguments: [
      (["--start", "none"], 66, "none"),
      (["--start", "boards", "--from", "256"], 64, "--from is for recorded games"),
      (["--start", "games"], 64, "--from 16384"),
      (["--start", "games", "--from", "131072"], 65, "no game reached 131072"),
      (["--start", "games", "--from", "100"], 64, "a tile from 4 to 131072"),
      (["--from", "256"], 64, "--start"),
      (["--start", "boards", "--record", "more"], 64, "--record is for whole games"),
      (["--start", "wrong"], 65, "wrong, line 2"),
      (["--start", "over"], 65, "no move is legal"),
    ])
  func wrongStarts(options: [String], code: Int32, message: String) throws {
    _ = try workspace.run("evaluate", "--against", "random", "--games", "2", "--record", "games")
    try workspace.write("9870000000000001\n", "boards")
    try workspace.write("9870000000000001\nnonsense\n", "wrong")
    try workspace.write("1212212112122121\n", "over")
    let outcome = try workspace.run(["evaluate", "--against", "random"] + options)
    #expect(outcome.code == code && outcome.errors.contains(message), "\(outcome)")
    #expect(outcome.output == "")
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
