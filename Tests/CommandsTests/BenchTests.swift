import Foundation
import Testing

@Suite("bench")
struct BenchTests {
  private let workspace: Workspace
  private let quick = ["--repeats", "1", "--patterns", "012,456", "--train-moves", "1e4"]

  init() throws {
    workspace = try Workspace()
  }

  private func bench(_ arguments: [String]) throws -> JSON {
    let outcome = try workspace.run(["bench"] + arguments + ["--json"])
    try #require(outcome.code == 0, "\(outcome)")
    #expect(outcome.lines.count == 1, "one document, and nothing else")
    return try JSON(outcome.output)
  }

  @Test(
    "--json prints the documented document",
    arguments: [
      ["train", "--games", "5", "--threads", "1,2"], ["evaluate", "--games", "5"],
      ["search", "--positions", "5", "--depth", "2"],
    ])
  func schema(arguments: [String]) throws {
    let report = try bench(arguments + quick)
    #expect(report.keys == ["benchmark", "repeats", "clock", "rows"])
    #expect(report["benchmark"].string == arguments[0])
    #expect(report["repeats"].integer == 1)
    #expect(report["rows"].array.count >= 2)
    for row in report["rows"].array {
      #expect(
        row.keys == [
          "parameters", "samples", "meanScores", "movesPlayed", "movesPerSecond",
          "microsecondsPerMove", "ratio",
        ])
      #expect(row["samples"].array.count == 1)
      for summary in ["movesPerSecond", "microsecondsPerMove", "ratio"] {
        #expect(row[summary].keys == ["median", "min", "max"])
        #expect(try #require(row[summary]["median"].number) > 0)
      }
    }
  }

  @Test("without a name it is train, of every combination")
  func combinations() throws {
    let report = try bench(["--games", "3", "--threads", "1,2", "--batch", "8,16"] + quick)
    #expect(report["benchmark"].string == "train")
    let variants = report["rows"].array.map { row in
      ["batch", "threads"].map { name in
        row["parameters"][name].string ?? String(row["parameters"][name].integer ?? -1)
      }.joined(separator: " ")
    }
    #expect(variants == ["8 1", "8 2", "16 1", "16 2"])
  }

  @Test("a trained model can be measured")
  func model() throws {
    try workspace.train()
    let report = try bench(["train", "--model", "tiny", "--games", "3", "--repeats", "1"])
    #expect(report["rows"][0]["parameters"]["network"].string == "tiny")
  }

  @Test("levels are those of networks that downgrade tiles")
  func levels() throws {
    try workspace.train("--run", "lower", "--set", "network.downgradeTile=1024")
    let report = try bench(["levels", "--model", "lower", "--games", "30"])
    #expect(report.keys == ["games", "rows"] && report["games"].integer == 30)
    let outcome = try workspace.run("bench", "levels", "--model", "lower", "--games", "30")
    #expect(outcome.code == 0 && outcome.output.contains("of 30 games"), "\(outcome)")
    try workspace.train()
    let other = try workspace.run("bench", "levels", "--model", "tiny")
    #expect(other.code == 64 && other.errors.contains("it has no levels"), "\(other)")
  }

  @Test("without --json there is a table, and on standard error what is trained")
  func table() throws {
    let outcome = try workspace.run(["bench", "growth", "--games", "3", "--threads", "1"] + quick)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.lines.first?.hasPrefix("network ") ?? false)
    #expect(outcome.lines.count == 5, "\(outcome)")
    #expect(outcome.errors.contains("training 2x3 for 10,000 moves"))
  }

  @Test("however little time there is, a game is played")
  func littleTime() throws {
    let report = try bench(["evaluate", "--seconds", "1e-6"] + quick)
    #expect(try #require(report["rows"][0]["movesPerSecond"]["median"].number) > 0)
  }

  @Test("the signature is the repository's")
  func signature() throws {
    let outcome = try workspace.run("bench", "signature")
    #expect(outcome.code == 0)
    let stated = try String(
      contentsOf: Workspace.repository.appendingPathComponent(".ci/signature"), encoding: .utf8)
    #expect(outcome.output == stated)
    #expect(try bench(["signature"])["signature"].string.map { $0 + "\n" } == stated)
  }

  @Test(
    "what is wrong is said before anything is trained",
    arguments: [
      (["train", "--method", "tc0"], 78, "learning.method"),
      (["train", "--threads", "0"], 78, "threads"),
      (["train", "--threads", "1,,2"], 78, "threads"),
      (["train", "--set", "learning.lamda=1"], 78, "unknown key 'learning.lamda'"),
      (["train", "--patterns", "0x"], 78, "0x"),
      (["train", "--patterns", "4x6", "--model", "tiny"], 64, "exclude each other"),
      (["train", "--seconds", "1", "--games", "1"], 64, "exclude each other"),
      (["train", "--seconds", "-1"], 64, "seconds above 0"),
      (["train", "--seconds", "1e21"], 64, "at most 1e6"),
      (["train", "--repeats", "9e18"], 64, "at most 1,000,000"),
      (["search", "--positions", "1e18"], 64, "at most 1,000,000"),
      (["train", "--model", "none"], 66, "none: no such model"),
      (["evaluate", "--threads", "2,x"], 64, "'x' is not a number"),
      (["evaluate", "--threads", "2,5000"], 64, "1 to 1024 threads"),
      (["search", "--threads", "5000"], 64, "1 to 1024 threads"),
      (["search", "--player", "ramdom"], 64, "ramdom"),
      (["search", "--player", "random", "--depth", "2"], 64, "--evaluator"),
      (["search", "--games", "2"], 64, "--games"),
      (["search", "--boards", "b.txt", "--positions", "2"], 64, "--positions"),
      (["search", "--boards", "none.txt"], 66, "none.txt"),
      (["train", "--batch", "16,65537"], 78, "learning.batchSize"),
      (["train", "--set", "network.downgradeTile=8192"], 64, "has no effect"),
      (["search", "--player", "learned:model=a,depth=2"], 64, "--model a"),
      (["search", "--player", "heuristic:table=1024G"], 78, "transposition table"),
      (["regret", "--reference", "random"], 64, "--reference random"),
      (["regret", "--reference", "rules"], 64, "--reference rules"),
      (["regret", "--reference", "learned:endgame=none"], 64, "a search without endgame"),
    ])
  func errors(arguments: [String], code: Int32, what: String) throws {
    let outcome = try workspace.run(["bench"] + arguments)
    #expect(outcome.code == code, "\(outcome)")
    #expect(outcome.errors.contains(what), "\(outcome)")
    #expect(!outcome.errors.contains("moves, TC("))
  }

  @Test("a search can be measured on boards of a file, without a network")
  func boards() throws {
    try workspace.write("1020000000000000\n# another\n1123456700000000\n", "boards.txt")
    let arguments = ["search", "--boards", "boards.txt", "--player", "heuristic:depth=2"] + quick
    let outcome = try workspace.run(["bench"] + arguments)
    #expect(outcome.code == 0 && !outcome.errors.contains("training"), "\(outcome)")
    try workspace.write("1020000000000000\nx\n", "boards.txt")
    let bad = try workspace.run(["bench"] + arguments)
    #expect(bad.code == 65 && bad.errors.contains("boards.txt, line 2"), "\(bad)")
  }

  #if os(Linux)
    @Test("networks that do not fit into memory are refused, and left out of a series")
    func memory() throws {
      // The network would fit, but not the copy of it as well.
      func bench(_ arguments: String) throws -> Outcome {
        try workspace.shell(#""$learn2048" bench \#(arguments)"#, kibibytes: 4_000_000)
      }
      let one = try bench("train --patterns 0123456 --train-moves 1e4")
      #expect(one.code == 78, "\(one)")
      #expect(
        one.errors.contains("two copies of the network, with accumulators, would need 6 GiB"),
        "\(one)")
      let series = try bench(
        "growth --patterns 0123456 --patterns 012 --train-moves 1e4 --repeats 1 --games 2 "
          + "--threads 1")
      #expect(series.code == 0, "\(series)")
      #expect(series.errors.contains("skipped: 1x7: two copies of the network, with accumulators"))
      #expect(series.lines.dropFirst().first?.hasPrefix("1x3 ") ?? false)
    }
  #endif
}
