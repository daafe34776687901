import Foundation
import Testing

@Suite("config and train --dry-run")
struct ConfigTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  @Test("config lists all keys, and explains some")
  func keys() throws {
    let all = try workspace.run("config")
    #expect(all.code == 0, "\(all)")
    #expect(all.lines.contains("learning.lambda = 0.5"))
    #expect(all.lines.contains("network.patterns"))
    #expect(all.lines.allSatisfy { $0.count <= 80 })
    let places = ["Basic keys", "seed = 1", "Advanced keys", "learning.batchSize = 256"].map {
      all.lines.firstIndex(of: $0) ?? -1
    }
    #expect(places == places.sorted() && places[0] == 0, "\(all)")
    let one = try workspace.run("config", "learning.lambda")
    #expect(one.lines.first == "learning.lambda = 0.5")
    #expect(one.output.contains("Allowed: a number from 0 to 1."))
    #expect(
      one.output.contains("From 0.3 to 0.6")
        && one.output.contains("See Docs/Notebook/Learning.md#"))
    let group = try JSON(workspace.run("config", "averaging", "seed", "--json").output).array
    #expect(
      group.map { $0["key"].string } == [
        "averaging.everyEpisodes", "averaging.from", "averaging.share", "averaging.window", "seed",
      ])
    #expect(group[2]["default"].number == 0.05)
    #expect(
      group[4].keys == [
        "key", "default", "allowed", "canChangeOnResume", "meaning", "isBasic", "advice",
      ])
    #expect(group[0]["experiment"].string == "Learning.md#weight-averaging")
  }

  @Test("an unknown key is an error with the nearest one")
  func unknownKey() throws {
    let outcome = try workspace.run("config", "learning.lamda")
    #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("'learning.lambda'"))
    #expect(try workspace.run("config", "seed", "--schema").code == 64)
    #expect(try workspace.run("config", "--json", "--schema").code == 64)
  }

  @Test("the schema is one JSON document")
  func schema() throws {
    let outcome = try workspace.run("config", "--schema")
    let schema = try JSON(outcome.output)
    #expect(outcome.code == 0 && schema["properties"]["learning"]["type"].string == "object")
  }

  @Test("--dry-run prints what a run takes, and leaves nothing behind")
  func dryRun() throws {
    let before = workspace.names(in: ".")
    let outcome = try workspace.run(
      "train", "--config", "tiny.json", "--dry-run", "--json", "--set", "limit.moves=1e9",
      "--threads", "1")
    #expect(outcome.code == 0, "\(outcome)")
    let estimate = try JSON(outcome.output)
    #expect(estimate["configuration"]["limit"]["moves"].integer == 1_000_000_000)
    #expect(estimate["configuration"]["threads"].integer == 1)
    #expect(try #require(estimate["memoryBytes"].integer) > 0)
    #expect(try #require(estimate["diskBytes"].integer) > 0)
    let speed = try #require(estimate["movesPerSecond"].number)
    #expect(speed > 0)
    let seconds = estimate["seconds"].array.compactMap(\.number)
    #expect(seconds.count == 2 && seconds[0] <= seconds[1] && seconds[0] <= 1e9 / speed)
    #expect(workspace.names(in: ".") == before)
    let text = try workspace.run("train", "--config", "tiny.json", "--dry-run")
    #expect(text.output.hasPrefix("{\n"))
    #expect(
      text.lines.suffix(4).map { $0.prefix { $0 != " " } } == ["memory", "disk", "speed", "time"])
  }

  @Test("--dry-run is about new runs, and reports the errors of a configuration")
  func dryRunErrors() throws {
    let resumed = try workspace.run("train", "--resume", "tiny", "--dry-run")
    #expect(resumed.code == 64 && resumed.errors.contains("--dry-run"), "\(resumed)")
    let invalid = try workspace.run(
      "train", "--config", "tiny.json", "--dry-run", "--set", "learning.lambda=2")
    #expect(invalid.code == 78 && invalid.errors.contains("learning.lambda"), "\(invalid)")
  }
}
