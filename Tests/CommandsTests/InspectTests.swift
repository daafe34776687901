import Basics
import Foundation
import TestSupport
import Testing

@Suite("inspect")
struct InspectTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  @Test("--json says what a model holds and where it comes from")
  func schema() throws {
    try workspace.train("--set", "game.fourProbability=0.25")
    let model = try workspace.inspect("tiny")
    #expect(
      model.keys.isSuperset(of: [
        "path", "isWhole", "checksum", "bytes", "boardSize", "patterns", "weights", "episodes",
        "moves", "seed", "version", "history", "config",
      ]))
    #expect(
      model["path"].string == "Models/tiny/checkpoints/episodes-000000300.safetensors")
    #expect(model["isWhole"].bool == true)
    let checksum = try #require(model["checksum"].string)
    #expect(checksum.wholeMatch(of: #/sha256:[0-9a-f]{64}/#) != nil, "\(checksum)")
    let path = try #require(model["path"].string)
    #expect(try model["bytes"].integer == workspace.directory.bytes(path).count)
    #expect(model["patterns"].array.map(\.string) == ["012", "456"])
    #expect(model["weights"].integer == 2 * 4_096)
    #expect(model["boardSize"].integer == 4)
    #expect(model["fourProbability"].number == 0.25)
    #expect(try workspace.run("inspect", "tiny").output.contains("a 4 with probability 0.25"))
    #expect(model["episodes"].integer == 300)
    #expect(model["seed"].integer == 7)
    #expect(try model["moves"] == workspace.reports("tiny").last?["moves"])
    #expect(try model["config"] == JSON(workspace.text("Models/tiny/config.json")))
  }

  @Test("without a name, the runs are listed")
  func list() throws {
    let none = try workspace.run("inspect")
    #expect(none.code == 0 && none.output.contains("has no runs yet"), "\(none)")
    try workspace.train("--run", "older")
    try workspace.train("--run", "newer", "--set", "evaluation.everyEpisodes=100")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
      ofItemAtPath: workspace.path("Models/older/metrics.jsonl"))
    let lock = try DirectoryLock(run: workspace.path("Models/newer"))
    let document = try JSON(workspace.run("inspect", "--json").output)
    let runs = document["runs"].array
    #expect(runs.map(\.["name"].string) == ["newer", "older"])
    #expect(runs.map(\.["isTraining"].bool) == [true, false])
    #expect(try runs.map(\.["last"]) == ["newer", "older"].map { try workspace.reports($0).last })
    let lines = try workspace.run("inspect").lines.map { $0.split(separator: " ").map(String.init) }
    #expect(lines.count == 3)
    #expect(lines[1].prefix(2) == ["newer", "300"] && lines[2].prefix(2) == ["older", "300"])
    // Only the newer one has evaluations, and it has done what it has to do.
    #expect(Int(lines[1][4].replacing(",", with: "")) != nil && lines[2].suffix(2) == ["-", "-"])
    withExtendedLifetime(lock) {}
    let card = try workspace.run("inspect", "--card")
    #expect(card.code == 64 && card.errors.contains("--card"), "\(card)")
  }

  @Test("a run is in training as long as its process lives")
  func training() throws {
    func isTraining() throws -> [Bool] {
      try JSON(workspace.run("inspect", "--json").output)["runs"].array.compactMap {
        $0["isTraining"].bool
      }
    }
    let program = try workspace.start(
      "train", "--config", "tiny.json", "--episodes", "1e9", "--run", "long", "--json")
    try program.waitForLines(1)
    #expect(try isTraining() == [true])
    program.send(SIGKILL)
    _ = try program.finish()
    #expect(try isTraining() == [false])
    try FileManager.default.createDirectory(
      atPath: workspace.path("Models/pipe"), withIntermediateDirectories: false)
    #expect(mkfifo(workspace.path("Models/pipe/config.json"), 0o600) == 0)
    try workspace.write(workspace.text("Models/long/metrics.jsonl"), "Models/pipe/metrics.jsonl")
    #expect(try isTraining() == [false, false])
  }

  @Test("a run, its checkpoints and a file are named in many ways")
  func names() throws {
    try workspace.train("--set", "checkpoint.everyEpisodes=100")
    let path = "Models/tiny/checkpoints/episodes-000000200.safetensors"
    let middle = try workspace.checksum(path)
    for name in [
      "tiny@200", "tiny@2e2", "Models/tiny@200", "models/TINY@200", workspace.path(path),
      "models/tiny/Checkpoints/episodes-000000200.safetensors",
    ] {
      #expect(try workspace.checksum(name) == middle, "\(name)")
    }
    let last = try workspace.checksum("tiny@300")
    #expect(last != middle)
    for name in ["tiny", "tiny@latest", "tiny@best", "Models/tiny", "Models/tiny/"] {
      #expect(try workspace.checksum(name) == last, "\(name)")
    }
    let outcome = try workspace.run("inspect", "tiny@newest")
    #expect(outcome.code == 64, "\(outcome)")
    // A weight file has no checkpoints, but its name may have an @.
    let file = try workspace.run("inspect", "\(path)@latest")
    #expect(file.code == 64 && file.errors.contains("is a weight file"), "\(file)")
    #expect(file.errors.contains("Remove @latest."), "\(file)")
    try workspace.directory.write(workspace.directory.bytes(path), "odd@latest")
    #expect(try workspace.checksum("odd@latest") == middle)
  }

  @Test("a run's model is its best checkpoint")
  func best() throws {
    try workspace.train(
      "--set", "evaluation.everyEpisodes=50", "--set", "evaluation.games=4",
      "--set", "checkpoint.keep=100", "--set", "checkpoint.everyEpisodes=50")
    let reports = try workspace.reports("tiny").filter { !$0["evaluation"].isNull }
    let means = try reports.map { try #require($0["evaluation"]["meanScore"].number) }
    let best = try #require(means.max())
    let episodes = try #require(means.firstIndex(of: best).map { reports[$0]["episodes"].integer })
    #expect(reports.count == 6)
    #expect(try workspace.inspect("tiny")["episodes"].integer == episodes)
    #expect(try workspace.inspect("tiny@best")["episodes"].integer == episodes)
    #expect(try workspace.inspect("tiny@latest")["episodes"].integer == 300)
  }

  @Test("of a run it says what has been saved, and whether all of it is whole")
  func run() throws {
    try workspace.train(
      "--set", "checkpoint.everyEpisodes=100", "--set", "evaluation.everyEpisodes=300",
      "--set", "evaluation.games=2")
    let run = try workspace.inspect("tiny")["run"]
    #expect(run["path"].string == "Models/tiny")
    #expect(run["episodes"].integer == 300)
    #expect(run["weights"].array.map { $0["episodes"].integer } == [100, 200, 300])
    #expect(run["weights"].array.map { $0["isBest"].bool } == [false, false, true])
    #expect(run["weights"].array.map { $0["isLatest"].bool } == [false, false, true])
    #expect(try workspace.inspect("tiny@200")["run"].isNull)
    let text = try workspace.run("inspect", "tiny").output
    #expect(text.contains("episodes-000000300.safetensors") && text.contains("the best"))

    for file in ["episodes-000000100.safetensors", "state.safetensors"] {
      let path = "Models/tiny/checkpoints/\(file)"
      try workspace.damage(path) { $0 - 1 }
      let outcome = try workspace.run("inspect", "tiny")
      #expect(outcome.code == 65 && outcome.errors.contains(file), "\(outcome)")
      #expect(outcome.output == "")
      try workspace.damage(path) { $0 - 1 }
    }
    #expect(try workspace.inspect("tiny")["isWhole"].bool == true)
    // Other weights than those that were found best.
    let best = "Models/tiny/checkpoints/best.json"
    let checksum = try #require(try JSON(workspace.text(best))["checksum"].string)
    try workspace.write(
      workspace.text(best).replacing(checksum, with: checksum.dropLast(2) + "--"), best)
    let changed = try workspace.run("inspect", "tiny")
    #expect(changed.code == 65, "\(changed)")
    #expect(changed.errors.contains("is not the file that was recorded as best"), "\(changed)")
    try FileManager.default.removeItem(atPath: workspace.path(best))
    try FileManager.default.removeItem(atPath: workspace.path("Models/tiny/config.json"))
    let missing = try workspace.run("inspect", "tiny")
    #expect(missing.code == 66 && missing.errors.contains("config.json"), "\(missing)")
  }

  @Test("without --json it is text for people")
  func text() throws {
    try workspace.train()
    let outcome = try workspace.run("inspect", "tiny")
    #expect(outcome.code == 0)
    #expect(outcome.lines.first?.hasSuffix(": intact") ?? false)
    #expect(outcome.errors == "")
  }

  @Test("metadata do not steer the terminal")
  func escapes() throws {
    try workspace.train()
    let path = workspace.path("Models/tiny/checkpoints/episodes-000000300.safetensors")
    try rewriteMetadata(of: path) { $0["version"] = "1\u{1B}[2J\u{9B}2J" }
    for options in [[], ["--json"]] {
      let outcome = try workspace.run(["inspect", "tiny@300"] + options)
      #expect(outcome.code == 0, "\(outcome)")
      #expect(
        outcome.output.contains("1\\u00") && outcome.output.contains("\\u009B2J"), "\(outcome)")
      #expect(!outcome.output.contains("\u{1B}") && !outcome.output.contains("\u{9B}"))
    }
    try rewriteMetadata(of: path) {
      $0["format"] = "\u{1B}[2J" + String(repeating: "x", count: 1 << 20)
    }
    let outcome = try workspace.run("inspect", "tiny@300")
    #expect(outcome.code == 65 && !outcome.errors.contains("\u{1B}"), "\(outcome)")
    #expect(outcome.errors.utf8.count < 3_000)
  }
}
