import Foundation
import Testing
import Training

@Suite("train")
struct TrainingTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  @Test("a new run leaves everything in its directory, and nothing on standard output")
  func newRun() throws {
    let outcome = try workspace.run(
      "train", "--episodes", "1e2", "--config", "configs/ntuple.json",
      "--set", #"network.patterns=["012", "456"]"#, "--set", "report.everyEpisodes=40",
      "--set", "evaluation.games=5", "--threads", "2")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output == "")
    #expect(!outcome.errors.contains("\u{1B}"), "no control sequences without a terminal")

    let names = workspace.names(in: "Models/ntuple")
    #expect(names.filter { $0.hasPrefix("events.out.tfevents.") }.count == 1)
    #expect(
      Set(names).isSuperset(of: ["checkpoints", "config.json", "log.txt", "metrics.jsonl"]))
    #expect(
      workspace.names(in: "Models/ntuple/checkpoints") == [
        "best.json", "episodes-000000100.safetensors", "state.safetensors",
      ])
    let log = try workspace.text("Models/ntuple/log.txt")
    #expect(log.contains("finished: Models/ntuple"))

    let reports = try workspace.reports("ntuple")
    #expect(reports.map { $0["episodes"].integer } == [40, 80, 100])
    let fields: Set = [
      "episodes", "moves", "wallSeconds", "movesPerSecond", "meanScore", "maxScore", "reached",
    ]
    for (report, next) in zip(reports, reports.dropFirst()) {
      #expect(report.keys.isSuperset(of: fields))
      #expect(try #require(next["moves"].integer) > #require(report["moves"].integer))
      #expect(try #require(next["wallSeconds"].number) > #require(report["wallSeconds"].number))
      #expect(try #require(report["maxScore"].number) >= #require(report["meanScore"].number))
    }
    #expect(reports.last?["evaluation"]["games"].integer == 5)
  }

  @Test("config.json is resolved: it has every key, and starts the same training again")
  func resolvedConfiguration() throws {
    try workspace.train("--seed", "3")
    let configuration = try JSON(workspace.text("Models/tiny/config.json"))
    for key in ConfigurationKey.all.map(\.path) {
      let value = key.split(separator: ".").reduce(configuration) { $0[String($1)] }
      #expect(!value.isNull, "\(key)")
    }
    #expect(configuration["seed"].integer == 3, "a flag beats the file")
    #expect(configuration["episodes"].integer == 300)
    let again = try workspace.run(
      "train", "--config", "Models/tiny/config.json", "--run", "again")
    #expect(again.code == 0, "\(again)")
    #expect(try JSON(workspace.text("Models/again/config.json")) == configuration)
    #expect(try workspace.checksum("again") == workspace.checksum("tiny"))
  }

  @Test("--json prints the reports, one object a line, and nothing else")
  func jsonLines() throws {
    let outcome = try workspace.run("train", "--config", "tiny.json", "--json")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try outcome.output == workspace.text("Models/tiny/metrics.jsonl"))
    let episodes = try outcome.lines.map { try JSON($0)["episodes"].integer }
    #expect(episodes == [100, 200, 300])
  }

  @Test("--minutes ends a run by its training time, whatever the file says of its length")
  func minutes() throws {
    let outcome = try workspace.run(
      "train", "--config", "tiny.json", "--minutes", "0.005", "--set", "report.everyEpisodes=1e6")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.errors.contains("training Models/tiny: 0s of training, "), "\(outcome)")
    let configuration = try JSON(workspace.text("Models/tiny/config.json"))
    #expect(configuration["limit"]["seconds"].number == 0.3)
    #expect(configuration["episodes"].integer == 0)
    let report = try #require(try workspace.reports("tiny").last)
    #expect(try #require(report["trainingSeconds"].number) >= 0.3)

    let refused = try workspace.run("train", "--resume", "tiny")
    #expect(refused.code == 64)
    #expect(refused.errors.contains("limit.seconds"), "\(refused)")
    // A total in episodes takes its place.
    let episodes = try #require(report["episodes"].integer) + 10
    try workspace.resume("tiny", "--episodes", "\(episodes)")
    #expect(try workspace.inspect("tiny")["episodes"].integer == episodes)
  }

  @Test("a reader that goes away does not end the training")
  func closedPipe() throws {
    let outcome = try workspace.shell(
      """
      { "$learn2048" train --config tiny.json --episodes 1e4 --json; echo $? > code; } | head -n 1
      """)
    #expect(outcome.lines.count == 1)
    #expect(try workspace.text("code") == "0\n", "\(outcome)")
    #expect(try workspace.inspect("tiny")["episodes"].integer == 10_000)
  }

  @Test("one thread and one seed decide the weights")
  func repeatability() throws {
    for (name, seed) in [("first", "1"), ("second", "1"), ("other", "2")] {
      try workspace.train("--run", name, "--seed", seed)
    }
    let first = try workspace.checksum("first")
    #expect(first.hasPrefix("sha256:"))
    #expect(try workspace.checksum("second") == first)
    #expect(try workspace.checksum("other") != first)
  }

  @Test("saving and evaluating do not change the weights")
  func measuring() throws {
    try workspace.train("--run", "plain")
    try workspace.train(
      "--run", "measured", "--set", "checkpoint.everyEpisodes=70",
      "--set", "evaluation.everyEpisodes=90", "--set", "evaluation.games=3",
      "--set", "report.everyEpisodes=11")
    #expect(try workspace.checksum("plain") == workspace.checksum("measured@latest"))
  }

  @Test("a training goes on however often it saves", arguments: ["checkpoint", "evaluation"])
  func shortPeriods(group: String) throws {
    try workspace.train(
      "--episodes", "20", "--set", "\(group).everySeconds=1e-9", "--set", "evaluation.games=1")
    #expect(try workspace.inspect("tiny@latest")["episodes"].integer == 20)
    let evaluations = try workspace.reports("tiny").count { !$0["evaluation"].isNull }
    #expect(group == "evaluation" ? evaluations > 1 : evaluations == 0)
  }

  @Test("several threads share the episodes")
  func threads() throws {
    try workspace.train("--threads", "3", "--episodes", "301")
    #expect(try workspace.inspect("tiny")["episodes"].integer == 301)
    #expect(try workspace.reports("tiny").map { $0["episodes"].integer } == [100, 200, 300, 301])
  }

  // MARK: Names

  @Test("a new run takes the next free name, and says so")
  func nextFreeName() throws {
    for name in ["tiny", "tiny-2", "tiny-3"] {
      let outcome = try workspace.run("train", "--config", "tiny.json", "--episodes", "5")
      #expect(outcome.code == 0, "\(outcome)")
      #expect(outcome.errors.contains("training Models/\(name): "), "\(outcome)")
    }
    #expect(workspace.names(in: "Models") == ["tiny", "tiny-2", "tiny-3"])
  }

  @Test("a name without a slash is a run under Models/, another is a path")
  func runPaths() throws {
    try workspace.train("--run", "mine", "--episodes", "5")
    try workspace.train("--run", "else/where", "--episodes", "5")
    #expect(workspace.exists("Models/mine/config.json"))
    #expect(workspace.exists("else/where/config.json"))
    #expect(try workspace.inspect("else/where")["episodes"].integer == 5)
  }

  @Test("a run that exists is not overwritten")
  func existingRun() throws {
    try workspace.train("--run", "mine")
    let before = try workspace.checksum("mine")
    let outcome = try workspace.run(
      "train", "--config", "tiny.json", "--run", "mine", "--seed", "9")
    #expect(outcome.code == 73)
    #expect(outcome.errors.contains("--resume Models/mine"), "\(outcome)")
    #expect(try workspace.checksum("mine") == before)
  }

  @Test("a place where nothing can be created is refused")
  func noDirectory() throws {
    try workspace.write("in the way", "Models")
    let outcome = try workspace.run("train", "--config", "tiny.json")
    #expect(outcome.code == 73, "\(outcome)")
    #expect(outcome.errors.contains("Models"))
  }

  // MARK: --init

  @Test("a new run can start from another's weights")
  func initialWeights() throws {
    try workspace.train("--run", "first")
    try workspace.train("--run", "second", "--init", "first", "--episodes", "1")
    try workspace.train("--run", "alone", "--episodes", "1")
    let checksums = Set(
      try ["first", "second", "alone"].map { try workspace.checksum($0) })
    #expect(checksums.count == 3, "the second has gone on from the first")
    let history = try workspace.inspect("second")["history"].array
    #expect(history.map { $0["episodes"].integer } == [300, 1])
  }

  @Test("a run can start from a TDL2048+ file")
  func initialTDL2048Weights() throws {
    try workspace.train("--run", "first")
    #expect(try workspace.run("convert", "first", "first.w").code == 0)
    try workspace.train("--run", "second", "--init", "./first.w", "--episodes", "1")
    try workspace.train("--run", "third", "--init", "first", "--episodes", "1")
    #expect(try workspace.checksum("second") == workspace.checksum("third"))
  }

  @Test("what a start that was broken off leaves is told from a run")
  func brokenOff() throws {
    try FileManager.default.createDirectory(
      atPath: workspace.path("Models/left/checkpoints"), withIntermediateDirectories: true)
    let outcome = try workspace.run("train", "--config", "tiny.json", "--run", "left")
    #expect(outcome.code == 73 && outcome.errors.contains("nothing to resume"), "\(outcome)")
    try workspace.train("--run", "done")
    let taken = try workspace.run("train", "--config", "tiny.json", "--run", "done")
    #expect(taken.code == 73 && taken.errors.contains("--resume"), "\(taken)")
  }

  @Test("weights of other patterns are refused")
  func unsuitableWeights() throws {
    try workspace.train("--run", "first")
    let outcome = try workspace.run(
      "train", "--config", "tiny.json", "--init", "first", "--set",
      #"network.patterns=["012","567"]"#)
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("012 456") && outcome.errors.contains("012 567"), "\(outcome)")
    #expect(workspace.names(in: "Models") == ["first"])
  }
}
