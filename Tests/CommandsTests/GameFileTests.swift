import Basics
import Foundation
import Testing

@Suite("evaluate: files of games")
struct GameFileTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  @Test("--csv writes a line for each game")
  func table() throws {
    let report = try workspace.evaluate(
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
    let noTable = try workspace.run(
      "evaluate", "--against", "rules", "--resume", "--csv", "none", "--record", "games")
    #expect(
      noTable.code == 64 && noTable.errors.contains("games has games of seed 4"), "\(noTable)")
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

  // Promise: A run is never lost
  @Test("an evaluation resumes from any of its two files", arguments: ["games.csv", "games"])
  func missingFile(name: String) throws {
    let arguments = [
      "evaluate", "--against", "rules", "--against", "random", "--seed", "4", "--json", "--csv",
      "games.csv", "--record", "games",
    ]
    func report(_ more: String...) throws -> JSON {
      try JSON(workspace.output(arguments + more))
    }
    let whole = try report("--games", "6")
    let record = try workspace.directory.bytes("games")
    try FileManager.default.removeItem(atPath: workspace.path(name))
    let outcome = try workspace.run(arguments + ["--games", "6", "--resume"])
    #expect(outcome.code == 0 && outcome.errors.contains("\(name) is missing"), "\(outcome)")
    let again = try JSON(outcome.output)
    for player in 0..<2 {
      #expect(
        try again["players"][player]["score"]["mean"].number
          == whole["players"][player]["score"]["mean"].number)
    }
    #expect(try workspace.directory.bytes("games") == record)
    #expect(try workspace.text("games.csv").split(separator: "\r\n").count == 13)
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

  @Test("an evaluation that fails leaves no lock", arguments: 0..<8)
  func failing(attempt: Int) throws {
    let outcome = try workspace.shell(
      """
      ulimit -f 1; "$learn2048" evaluate --against random --games 200 --csv games.csv --record games
      """)
    #expect(outcome.code == 74, "\(outcome)")
    #expect(workspace.names(in: ".").allSatisfy { !$0.hasSuffix(".lock") })
  }

  @Test("a tile beyond those of boards is resumed")
  func largestTile() throws {
    try workspace.write("HH00000000000000\n", "boards")
    let arguments = [
      "evaluate", "--against", "heuristic:depth=1", "--start", "boards", "--csv", "games.csv",
    ]
    try workspace.output(arguments + ["--games", "2"])
    // Two such tiles do not merge, but they did when older files were written.
    let text = try workspace.text("games.csv")
    #expect(text.contains(",131072,"))
    try workspace.write(text.replacing(",131072,", with: ",262144,"), "games.csv")
    try workspace.output(arguments + ["--games", "3", "--resume"])
    #expect(try workspace.text("games.csv").split(separator: "\r\n").count == 4)
    #expect(try workspace.text("games.csv").contains(",262144,"))
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
}
