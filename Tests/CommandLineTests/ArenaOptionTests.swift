import Arena
import Basics
import Foundation
import Testing

@Suite("evaluate: files, early ends and learning curves")
struct ArenaOptionTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  private func evaluate(_ arguments: String...) throws -> JSON {
    let outcome = try workspace.run(["evaluate"] + arguments + ["--json"])
    try #require(outcome.code == 0, "\(outcome)")
    return try JSON(outcome.output)
  }

  @Test("--csv writes a line for each game")
  func table() throws {
    let report = try evaluate(
      "--against", "random", "--against", "expectimax:depth=1,evaluator=emptyCells", "--games",
      "12", "--csv", "games.csv")
    let lines = try workspace.text("games.csv").split(separator: "\r\n")
    #expect(lines.first == "game,player,score,moves,largestTile,seconds,seed,weights")
    try #require(lines.count == 25)
    let scores = lines.dropFirst().filter { $0.contains(",random,") }
      .compactMap { Int($0.split(separator: ",")[2]) }
    #expect(scores.count == 12)
    let mean = try #require(report["players"][0]["score"]["mean"].number)
    #expect(abs(Double(scores.reduce(0, +)) / 12 - mean) < 1e-9)
    #expect(lines[2].hasPrefix(#"1,"expectimax:evaluator=emptyCells,depth=1","#))
  }

  @Test("--resume continues the games of --csv, and has their moves from --record")
  func resuming() throws {
    try workspace.train()
    let arguments = [
      "evaluate", "tiny", "--depth", "1", "--against", "rules", "--seed", "4", "--csv",
      "games.csv", "--record", "games",
    ]
    func withoutTime(_ text: String) -> [[Substring]] {
      text.split(separator: "\r\n").map { line in
        var fields = line.split(separator: ",", omittingEmptySubsequences: false)
        fields.remove(at: fields.count - 3)
        return fields
      }
    }
    let whole = try workspace.run(arguments + ["--games", "12"])
    #expect(whole.code == 0)
    let (table, record) = try (workspace.text("games.csv"), workspace.directory.bytes("games"))
    for name in ["games.csv", "games"] {
      let refused = try workspace.run(arguments + ["--games", "12"])
      #expect(refused.code == 73 && refused.errors.contains("\(name) exists"), "\(refused)")
      try FileManager.default.removeItem(atPath: workspace.path(name))
    }
    let part = try workspace.run(arguments + ["--games", "10"])
    #expect(part.code == 0)
    let before = try workspace.text("games.csv").split(separator: "\r\n")
    let continued = try workspace.run(arguments + ["--games", "12", "--resume"])
    #expect(continued.code == 0, "\(continued)")
    #expect(try withoutTime(workspace.text("games.csv")) == withoutTime(table))
    #expect(try workspace.text("games.csv").split(separator: "\r\n").starts(with: before))
    #expect(try workspace.directory.bytes("games") == record)

    for (options, message) in [
      (["--games", "11"], "has 12 games. Resume with --games 12"),
      (["--games", "20", "--seed", "5"], "has games of seed 4. Resume with --seed 4"),
    ] {
      let outcome = try workspace.run(arguments + options + ["--resume"])
      #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome)")
    }
    let other = try workspace.run(
      "evaluate", "--against", "random", "--seed", "4", "--resume", "--csv", "games.csv")
    #expect(other.code == 64 && other.errors.contains("has games of learned:"), "\(other)")
    let noRecord = try workspace.run(
      "evaluate", "--against", "rules", "--seed", "4", "--resume", "--csv", "games.csv", "--record",
      "none")
    #expect(noRecord.code == 66 && noRecord.errors.contains("none does not exist"), "\(noRecord)")
    let noTable = try workspace.run(
      "evaluate", "--against", "rules", "--resume", "--csv", "none", "--record", "games")
    #expect(noTable.code == 66 && noTable.errors.contains("none does not"), "\(noTable)")
    try workspace.resume("tiny", "--episodes", "400")
    let weights = try workspace.run(arguments + ["--games", "20", "--resume"])
    #expect(weights.code == 64 && weights.errors.contains("with other weights"), "\(weights)")
    #expect(try workspace.directory.bytes("games") == record)
    let nowhere = try workspace.run("evaluate", "tiny", "--resume")
    #expect(nowhere.code == 64 && nowhere.errors.contains("--csv"), "\(nowhere)")
    let new = try workspace.run(
      "evaluate", "--against", "rules", "--games", "10", "--csv", "new.csv", "--resume")
    #expect(new.code == 0 && workspace.exists("new.csv"), "\(new)")
  }

  @Test("files that another evaluation writes are refused, and the locks leave nothing behind")
  func lockedFiles() throws {
    let common = ["evaluate", "--against", "random", "--games", "2"]
    let files = ["--csv", "games.csv", "--record", "games"]
    let first = try workspace.run(common + files)
    #expect(first.code == 0, "\(first)")
    let names = workspace.names(in: ".")
    #expect(names.allSatisfy { !$0.contains("lock") }, "\(names)")
    for (name, options) in [("games.csv", ["--csv"]), ("games", ["--csv", "new.csv", "--record"])] {
      let path = workspace.path(name)
      let lock = try LockFile(path: LockFile.path(for: path), for: path)
      let second = try workspace.run(common + options + [name, "--resume"])
      #expect(second.code == 75, "\(second)")
      #expect(second.errors.contains("\(name): is in use by process \(getpid())"), "\(second)")
      withExtendedLifetime(lock) {}
    }
    #expect(workspace.names(in: ".") == names)
    let resumed = try workspace.run(common + files + ["--resume"])
    #expect(resumed.code == 0, "\(resumed)")
  }

  @Test("the file of --csv loses no game, whatever is resumed with it")
  func fileKeepsGames() throws {
    func evaluate(_ options: String...) throws -> Outcome {
      let outcome = try workspace.run(["evaluate", "--csv", "games.csv"] + options)
      #expect(outcome.code == 0, "\(outcome)")
      return outcome
    }
    func lines() throws -> Set<Substring> {
      Set(try workspace.text("games.csv").split(separator: "\r\n"))
    }
    _ = try evaluate("--against", "random", "--against", "heuristic:depth=1", "--games", "300")
    let all = try lines()
    #expect(all.count == 601)
    // A comparison that is decided early.
    let decided = try evaluate(
      "--against", "random", "--against", "heuristic:depth=1", "--games", "300", "--until-decided",
      "--resume")
    #expect(decided.output.contains("decided after"))
    #expect(try lines() == all)
    // Another player, and one player less.
    let added = try evaluate(
      "--against", "greedy", "--against", "random", "--games", "300", "--resume", "--json")
    #expect(try lines().isSuperset(of: all) && lines().count == 901)
    let alone = try workspace.run(
      "evaluate", "--against", "greedy", "--against", "random", "--games", "300", "--json")
    let scores = try [added, alone].map {
      try JSON($0.output)["players"].array.map { $0["score"] }
    }
    #expect(scores[0] == scores[1])
  }

  @Test("the file of --record loses no game, whatever is resumed with it")
  func recordKeepsGames() throws {
    func evaluate(_ options: String...) throws -> Outcome {
      let outcome = try workspace.run(
        ["evaluate", "--csv", "games.csv", "--record", "games"] + options)
      #expect(outcome.code == 0, "\(outcome)")
      return outcome
    }
    /// The last recorded game of a player, which has this number.
    func last(_ player: String, _ game: Int) throws -> String {
      let outcome = try workspace.run(
        "replay", "games", "--player", player, "--game", "\(game)")
      #expect(outcome.code == 0, "\(outcome)")
      let next = try workspace.run(
        "replay", "games", "--player", player, "--game", "\(game + 1)")
      #expect(next.code == 64 && next.errors.contains("The last is \(game)"), "\(next)")
      return outcome.output
    }
    let heuristic = "heuristic:depth=1"
    _ = try evaluate("--against", "random", "--against", heuristic, "--games", "100")
    let random = try last("random", 100)
    let games = try last(heuristic, 100)
    #expect(games.hasPrefix("# heuristic:depth=1, game 100 of 100, seed 1\n"))
    // A comparison that is decided early.
    let decided = try evaluate(
      "--against", "random", "--against", heuristic, "--games", "100", "--until-decided", "--resume"
    )
    #expect(decided.output.contains("decided after"))
    #expect(try last("random", 100) == random && last(heuristic, 100) == games)
    // One player less, and another one with more games.
    _ = try evaluate(
      "--against", "random", "--against", "greedy", "--games", "110", "--resume")
    #expect(try last(heuristic, 100) == games)
    _ = try last("random", 110)
    let greedy = try last("greedy", 110)
    // Every game is read by whoever reads records.
    let boards = try workspace.run("replay", "games", "--first", "4")
    #expect(boards.code == 0 && boards.lines.count == 320, "\(boards)")
    #expect(
      try workspace.run(
        "evaluate", "--against", "random", "--start", "games", "--from", "4", "--json"
      ).output.contains(#""games":320"#))
    #expect(try workspace.run("tables", "census", "games", "--from", "128").code == 0)
    let review = try workspace.run(
      "review", "games", "--of", "greedy", "--game", "110", "--player", "montecarlo:simulations=1")
    #expect(review.code == 0, "\(review)")
    // The first player returns.
    _ = try evaluate("--against", heuristic, "--games", "110", "--resume")
    _ = try last(heuristic, 110)
    #expect(try last("greedy", 110) == greedy)
  }

  @Test("--resume rejects games of other rules")
  func resumedRules() throws {
    try workspace.train("--run", "usual")
    try workspace.train(
      "--run", "small", "--set", "game.boardSize=3", "--set", #"network.patterns=["012","45"]"#)
    func evaluate(
      _ model: String, _ file: String, games: Int, _ options: String...
    ) throws -> Outcome {
      try workspace.run(
        [
          "evaluate", model, "--depth", "1", "--against", "random", "--games", "\(games)", "--csv",
          file,
        ] + options)
    }
    for model in ["usual", "small"] {
      #expect(try evaluate(model, "\(model).csv", games: 10).code == 0)
    }
    let header = "game,player,score,moves,largestTile,seconds,seed,weights"
    #expect(try workspace.text("usual.csv").hasPrefix(header + "\r\n"))
    let small = try workspace.text("small.csv")
    #expect(small.hasPrefix(header + ",rules\r\n"))
    #expect(small.split(separator: "\r\n").dropFirst().allSatisfy { $0.hasSuffix(",3x3") })
    #expect(try evaluate("small", "small.csv", games: 12, "--resume").code == 0)
    #expect(try workspace.text("small.csv").split(separator: "\r\n").count == 25)
    for (model, file, message) in [
      ("usual", "small.csv", "3x3, but the players play 4x4"),
      ("small", "usual.csv", "4x4, but the players play 3x3"),
    ] {
      let before = try workspace.text(file)
      let outcome = try evaluate(model, file, games: 12, "--resume")
      #expect(outcome.code == 64 && outcome.errors.contains(message), "\(outcome)")
      #expect(try workspace.text(file) == before)
    }
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

  @Test("--resume plays from the same boards")
  func resumedBoards() throws {
    try workspace.write("9870000000000001\nA900000000000001\n", "boards")
    try workspace.write("9870000000000002\n", "others")
    func evaluate(_ options: String...) throws -> Outcome {
      try workspace.run(["evaluate", "--against", "rules", "--csv", "games.csv"] + options)
    }
    _ = try evaluate("--start", "boards", "--games", "12")
    let whole = try workspace.text("games.csv").split(separator: "\r\n")
    try FileManager.default.removeItem(atPath: workspace.path("games.csv"))
    _ = try evaluate("--start", "boards", "--games", "11")
    let resumed = try evaluate("--start", "boards", "--games", "12", "--resume")
    #expect(resumed.code == 0 && resumed.output.contains("from 2 boards"), "\(resumed)")
    let lines = try workspace.text("games.csv").split(separator: "\r\n")
    #expect(lines.map { $0.prefix(12) } == whole.map { $0.prefix(12) })
    let others = try evaluate("--start", "others", "--games", "12", "--resume")
    #expect(others.code == 64 && others.errors.contains("from other boards"), "\(others)")
  }

  @Test("a file of TDL2048+ has changed if its bytes have")
  func resumedPlainWeights() throws {
    try workspace.train()
    func evaluate(_ games: String, _ options: String...) throws -> Outcome {
      try workspace.run(
        ["evaluate", "./a.w", "--depth", "1", "--csv", "games.csv", "--games", games] + options)
    }
    #expect(try workspace.run("convert", "tiny", "a.w").code == 0)
    #expect(try evaluate("10").code == 0)
    #expect(try evaluate("11", "--resume").code == 0)
    try workspace.resume("tiny", "--episodes", "400")
    try FileManager.default.removeItem(atPath: workspace.path("a.w"))
    #expect(try workspace.run("convert", "tiny", "a.w").code == 0)
    let other = try evaluate("12", "--resume")
    #expect(other.code == 64 && other.errors.contains("with other weights"), "\(other)")
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
    let report = try evaluate("tiny@all", "--against", "random", "--games", "10")
    let names = report["players"].array.map { $0["name"].string }
    #expect(
      names == [
        "random", "learned:model=tiny@100,depth=1", "learned:model=tiny@200,depth=1",
        "learned:model=tiny@300,depth=1",
      ])
    #expect(report["players"].array.map { $0["episodes"].integer } == [nil, 100, 200, 300])
    #expect(report["comparisons"].array.count == 6)
    // Each as if it had played alone.
    let last = try evaluate("tiny@300", "--depth", "1", "--games", "10")
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

  @Test(
    "files that cannot be written are refused before the games",
    arguments: ["--csv", "--record"])
  func outputs(option: String) throws {
    let missing = try workspace.run(
      "evaluate", "--against", "random", "--games", "1e9", option, "none/games")
    #expect(missing.code == 73 && missing.errors.contains("none/games"), "\(missing)")
    #expect(missing.errors.contains("'none'") && missing.errors.contains("Create the directory"))
    let directory = try workspace.run(
      "evaluate", "--against", "random", "--games", "1e9", option, "Configs")
    #expect(directory.code == 73, "\(directory)")
    // What a link leads to is what is written.
    try FileManager.default.createSymbolicLink(
      atPath: workspace.directory.file("link"), withDestinationPath: "/dev/null")
    let link = try workspace.run("evaluate", "--against", "random", option, "link")
    #expect(link.code == 73 && link.errors.contains("link: is not a regular file"), "\(link)")
  }

  @Test("a file that standard output goes to is not replaced")
  func standardOutput() throws {
    let outcome = try workspace.shell(
      #""$learn2048" evaluate --against random --csv games.csv > games.csv"#)
    #expect(outcome.code == 73 && outcome.errors.contains("standard output"), "\(outcome)")
  }

  @Test("one file that cannot be written does not keep the other from it")
  func oneOfTwoFiles() throws {
    // Its lock can be created, but the name of its temporary would be too long.
    let name = String(repeating: "x", count: 249)
    let outcome = try workspace.run(
      "evaluate", "--against", "random", "--games", "10", "--csv", name, "--record", "games")
    #expect([73, 74].contains(outcome.code) && outcome.errors.contains(name), "\(outcome)")
    #expect(try workspace.run("replay", "games", "--game", "10").code == 0)
  }

  @Test("a file may have a name of one character")
  func shortName() throws {
    for (option, name) in [("--csv", "x"), ("--record", "y")] {
      let outcome = try workspace.run(
        "evaluate", "--against", "random", "--games", "10", option, name)
      #expect(outcome.code == 0 && workspace.exists(name), "\(outcome)")
    }
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
    #expect(difference.count == 7 && difference[4] == "-" && difference[6] == "-", "\(pair)")
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
