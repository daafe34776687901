import Basics
import Foundation
import Testing

@Suite("evaluate: early ends and learning curves")
struct ArenaOptionTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  @Test("--until-decided draws the boards of --start, and resumes with the same ones")
  func drawnBoards() throws {
    // The easy boards come first.
    try workspace.write(
      "0000000000000012\nA900000000000001\n9870000000000001\n1234432112344320\n", "boards")
    func evaluate(_ games: Int, _ options: String...) throws -> Outcome {
      try workspace.run(
        [
          "evaluate", "--against", "rules", "--against", "greedy", "--start", "boards", "--csv",
          "games.csv", "--games", "\(games)",
        ] + options)
    }
    func starts() throws -> [Substring] {
      try workspace.text("games.csv").split(separator: "\r\n").dropFirst().map { $0.suffix(16) }
    }
    #expect(try evaluate(12, "--until-decided").code == 0)
    let whole = try starts()
    let drawn = stride(from: 0, to: 24, by: 2).map { whole[$0] }
    #expect(drawn == stride(from: 1, to: 24, by: 2).map { whole[$0] }, "the same for both")
    let file = try workspace.text("boards").split(separator: "\n")
    #expect(drawn != (0..<12).map { file[$0 % 4] })
    let otherOrder = try evaluate(12, "--resume")
    #expect(otherOrder.code == 64, "\(otherOrder)")
    #expect(otherOrder.errors.contains("from other boards or in another order"))
    try FileManager.default.removeItem(atPath: workspace.path("games.csv"))
    #expect(try evaluate(5, "--until-decided").code == 0)
    #expect(try evaluate(12, "--until-decided", "--resume").code == 0)
    #expect(try starts() == whole)
  }

  @Test("the bundled model is read once, even if no player names it")
  func bundledModel() throws {
    try workspace.train()
    let converted = try workspace.run(
      "convert", "tiny", "Models/default.compact", "--games", "1")
    try #require(converted.code == 0, "\(converted)")
    let terminal = try PseudoTerminal()
    let program = try Program(
      executable: Executable.path(),
      ["evaluate", "tiny@all", "--against", "learned", "--games", "10"],
      in: workspace.directory.path, environment: Workspace.environment(), terminal: terminal.handle)
    #expect(try program.finish().code == 0, "\(terminal.text)")
    try terminal.settle()
    let readings = terminal.text.components(separatedBy: "reading default.compact").count - 1
    #expect(readings == 1, "\(terminal.text)")
  }

  @Test("the checkpoints of a learning curve are resumed one by one")
  func resumedCurve() throws {
    try workspace.train("--set", "checkpoint.everyEpisodes=100", "--set", "checkpoint.keep=9")
    func evaluate(_ options: String...) throws -> [JSON] {
      let outcome = try workspace.run(
        ["evaluate", "tiny@all", "--against", "random", "--json"] + options)
      return try JSON(outcome.output)["players"].array.map { $0["score"] }
    }
    let whole = try evaluate("--games", "12")
    _ = try evaluate("--games", "10", "--csv", "games.csv")
    // As if a signal had come while the second checkpoint played.
    let lines = try workspace.text("games.csv").split(separator: "\r\n")
      .filter { !$0.contains("@200") && !$0.contains("@300") }
    #expect(lines.count == 21)
    try workspace.write(lines.joined(separator: "\r\n") + "\r\n", "games.csv")
    #expect(try evaluate("--games", "12", "--csv", "games.csv", "--resume") == whole)
    #expect(try workspace.text("games.csv").split(separator: "\r\n").count == 49)
    // The games of a checkpoint that is no longer there stay.
    try FileManager.default.removeItem(
      atPath: workspace.path("Models/tiny/checkpoints/episodes-000000100.safetensors"))
    #expect(try evaluate("--games", "14", "--csv", "games.csv", "--resume").count == 3)
    #expect(try workspace.text("games.csv").split(separator: "\r\n").count == 55)
  }

  @Test("--until-decided ends early and says what it found")
  func untilDecided() throws {
    let arguments = [
      "evaluate", "--against", "random", "--against", "heuristic:depth=1", "--games", "1e4",
      "--until-decided", "--error-rate", "0.01",
    ]
    let outcome = try workspace.run(arguments + ["--json", "--threads", "3"])
    #expect(outcome.code == 0, "\(outcome)")
    let report = try JSON(outcome.output)
    let games = try #require(report["games"].integer)
    #expect(10 <= games && games < 200)
    #expect(report["players"][0]["games"].integer == games)
    #expect(report["sequential"].keys == ["errorRate", "decisions"])
    #expect(report["sequential"]["errorRate"].number == 0.01)
    let decision = report["sequential"]["decisions"][0]
    #expect(decision.keys == ["a", "b", "better", "games"])
    #expect(decision["better"].string == "heuristic:depth=1")
    #expect(decision["games"].integer == games)
    let text = try workspace.run(arguments + ["--threads", "1"])
    #expect(
      text.output.contains(
        "heuristic:depth=1 wins more often than random: decided after \(games) games"), "\(text)")
    #expect(text.output.contains("at most 0.01"))

    let alone = try workspace.run("evaluate", "--against", "random", "--until-decided")
    #expect(alone.code == 64, "\(alone)")
    let rate = try workspace.run(
      "evaluate", "--against", "random", "--until-decided", "--error-rate", "0.7")
    #expect(rate.code == 64 && rate.errors.contains("--error-rate"), "\(rate)")
  }

  @Test("RUN@all plays all checkpoints")
  func learningCurve() throws {
    try workspace.train("--set", "checkpoint.everyEpisodes=100", "--set", "checkpoint.keep=9")
    let report = try workspace.evaluate("tiny@all", "--against", "random", "--games", "10")
    let names = report["players"].array.map { $0["name"].string }
    #expect(
      names == [
        "random", "learned:model=tiny@100,depth=1", "learned:model=tiny@200,depth=1",
        "learned:model=tiny@300,depth=1",
      ])
    #expect(report["players"].array.map { $0["episodes"].integer } == [nil, 100, 200, 300])
    #expect(report["comparisons"].array.count == 6)
    // Each as if it had played alone.
    let last = try workspace.evaluate("tiny@300", "--depth", "1", "--games", "10")
    #expect(last["players"][0]["score"] == report["players"][3]["score"])
    let text = try workspace.run("evaluate", "Models/tiny@all", "--games", "4", "--depth", "1")
    #expect(text.lines.count { $0.hasPrefix("1 - 2 ") || $0.hasPrefix("2 - 3 ") } == 2, "\(text)")

    let missing = try workspace.run("evaluate", "other@all", "--games", "4")
    #expect(missing.code == 66 && missing.errors.contains("other: no such run"), "\(missing)")
    let stopped = try workspace.run("evaluate", "tiny@all", "--until-decided")
    #expect(stopped.code == 64, "\(stopped)")
    let elsewhere = try workspace.run("play", "--watch", "--model", "tiny@all")
    #expect(elsewhere.code == 64 && elsewhere.errors.contains("@all"), "\(elsewhere)")
  }

  @Test("an evaluation uses the threads that can be started")
  func fewThreads() throws {
    #if os(Linux)
      let command = #""$learn2048" evaluate --against random --games 2000 --csv "#
      #expect(1_024 * WorkerThreads.stackSize > 4_000_000 << 10, "all threads fit")
      let limited = try workspace.shell("\(command) few.csv --threads 1024", kibibytes: 4_000_000)
      #expect(limited.code == 0, "\(limited)")
      _ = try workspace.shell("\(command) one.csv --threads 1")
      func scores(_ name: String) throws -> [Substring] {
        try workspace.text(name).split(separator: "\r\n").map { $0.split(separator: ",")[2] }
      }
      #expect(try scores("few.csv") == scores("one.csv"))
    #endif
  }

  @Test("a few games come with a warning")
  func fewGames() throws {
    let one = try workspace.run("evaluate", "--against", "random", "--games", "1")
    #expect(one.code == 0 && one.errors.contains("warning: intervals of 1 game"), "\(one)")
    // Its bootstrap interval would be a point.
    let row = try #require(one.lines.dropFirst().first).split(separator: " ")
    #expect(row.prefix(2) == ["random", "1"] && row[3] == "-", "\(one)")
    let pair = try workspace.run(
      "evaluate", "--against", "random", "--against", "greedy", "--games", "1")
    let difference = try #require(pair.lines.first { $0.hasPrefix("random - greedy") })
      .split(separator: " ")
    #expect(difference.count == 8 && difference[4] == "-" && difference[7] == "-", "\(pair)")
    #expect(difference[5] == "open", "\(pair)")
    let ten = try workspace.run("evaluate", "--against", "random", "--games", "10")
    #expect(ten.code == 0 && !ten.errors.contains("warning"), "\(ten)")
  }

  @Test(
    "what cannot be done is refused before the games",
    arguments: [
      (["--against", "random", "--against", "greedy", "--games", "9e18"], 64, "too many"),
      (["--against", "random", "--threads", "5000"], 64, "1024"),
      (["--against", "random", "--against", "random"], 64, "random is given twice"),
      (["--against", "random", "--games", "1e8", "--csv", "/dev/null"], 73, "/dev/null"),
      (["--against", "random", "--games", "100000001"], 64, "too many"),
      (["--against", "random", "--games", "10000001", "--csv", "games"], 64, "with --csv"),
      (["--against", "random", "--games", "100001", "--record", "games"], 64, "with --record"),
      (
        ["--against", "random", "--csv", "games", "--record", "./games"], 64, "two different files"
      ),
      (["--against", "random", "--error-rate", "0.01"], 64, "--until-decided"),
      (["--against", "heuristic:table=1024G"], 78, "transposition table"),
    ])
  func refused(arguments: [String], code: Int32, problem: String) throws {
    let outcome = try workspace.run(["evaluate"] + arguments)
    #expect(outcome.code == code && outcome.errors.contains(problem), "\(outcome)")
  }

  @Test("models of different games are not compared")
  func rules() throws {
    try workspace.train()
    try workspace.train("--run", "fours", "--set", "game.fourProbability=0.5")
    let outcome = try workspace.run("evaluate", "tiny", "fours", "--games", "1")
    #expect(outcome.code == 64 && outcome.errors.contains("0.5"), "\(outcome)")
    #expect(try workspace.run("evaluate", "fours", "--games", "1").code == 0)
  }

  #if os(Linux)
    @Test("a result that standard output did not take is an error")
    func fullOutput() throws {
      let outcome = try workspace.shell(
        "exec \"$learn2048\" evaluate --against random --games 2 --json > /dev/full")
      #expect(outcome.code == 74 && outcome.errors.contains("standard output"), "\(outcome)")
    }

    @Test("so is a text about the program", arguments: ["--help", "--version", "help train"])
    func fullHelp(arguments: String) throws {
      let outcome = try workspace.shell("exec \"$learn2048\" \(arguments) > /dev/full")
      #expect(outcome.code == 74 && outcome.errors.contains("standard output"), "\(outcome)")
    }
  #endif
}
