import Foundation
import Testing

@Suite("Model cards")
struct ModelCardTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.train("--set", "learning.learningRate=0.25")
  }

  /// Evaluates models, and writes the results to a file.
  private func evaluate(_ file: String, _ arguments: String...) throws -> JSON {
    let output = try workspace.output(["evaluate"] + arguments + ["--json"])
    try workspace.write(output, file)
    return try JSON(output)
  }

  @Test("a card has the facts of the file and the results of its evaluations")
  func card() throws {
    let report = try evaluate("results.json", "tiny", "--against", "random", "--games", "12")
    let player = report["players"][0]
    #expect(try player["weights"].string == workspace.checksum("tiny"))
    #expect(report["players"][2]["weights"].isNull, "a player without a network has no weights")

    let outcome = try workspace.run("inspect", "tiny", "--card", "--results", "results.json")
    #expect(outcome.code == 0 && outcome.errors == "", "\(outcome)")
    #expect(outcome.lines.first == "## Model card")
    let model = try workspace.inspect("tiny")
    let bytes = try #require(model["bytes"].integer)
    for part in [
      "| file | `episodes-000000300.safetensors`, \(bytes / 1000),\(String(bytes).suffix(3)) bytes |",
      try "| checksum of the weights | `\(workspace.checksum("tiny"))` |",
      "| network | 012 456 on 4x4 |",
      "| trained for | 300 episodes, ", "`learning.learningRate=0.25`",
      "`report.everyEpisodes=100`",
      "| search | seed | games | mean | 95% interval |", "| depth=1 | 1 | 12 | ",
      "| depth=2 | 1 | 12 | ",
    ] {
      #expect(outcome.output.contains(part), "\(part)\n\(outcome)")
    }
    #expect(!outcome.output.contains("random"), "other players are left out")
    // Results can come from a pipe.
    let piped = try workspace.shell(
      "cat results.json | \"$learn2048\" inspect tiny --card --results -")
    #expect(piped.output == outcome.output)
  }

  @Test("without results, a card says so")
  func noResults() throws {
    let outcome = try workspace.run("inspect", "tiny", "--card")
    #expect(outcome.code == 0 && outcome.output.contains("has not been measured"), "\(outcome)")
  }

  @Test("results of other weights are rejected")
  func otherWeights() throws {
    _ = try evaluate("results.json", "tiny", "--games", "10", "--depth", "1")
    try workspace.train("--run", "other", "--set", "learning.learningRate=0.5")
    let outcome = try workspace.run("inspect", "other", "--card", "--results", "results.json")
    #expect(outcome.code == 65 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.contains("results.json: has no whole games with the weights of "))
  }

  @Test(
    "what is no result, and options without a card, are rejected",
    arguments: [
      (["--card", "--results", "tiny.json"], 65), (["--card", "--results", "none.json"], 66),
      (["--results", "tiny.json"], 64), (["--card", "--json"], 64),
      (["--card", "--results", "-", "--results", "-"], 64),
    ] as [([String], Int32)])
  func wrong(options: [String], code: Int32) throws {
    let outcome = try workspace.run(["inspect", "tiny"] + options)
    #expect(outcome.code == code && outcome.output == "", "\(outcome)")
  }

  @Test("a .w file has no card")
  func imported() throws {
    _ = try workspace.run("convert", "tiny", "tiny.w")
    let outcome = try workspace.run("inspect", "./tiny.w", "--card")
    #expect(outcome.code == 65 && outcome.output == "", "\(outcome)")
  }

  @Test("the card of the bundled model is current")
  func bundledModel() throws {
    let models = Workspace.repository.appendingPathComponent("Models")
    func path(_ name: String) -> String { models.appendingPathComponent(name).path }
    let results = (1...3).flatMap { ["--results", path("default-\($0)-ply.json")] }
    let outcome = try workspace.run(["inspect", path("default.compact"), "--card"] + results)
    try #require(outcome.code == 0, "\(outcome)")
    let page = try String(contentsOfFile: path("README.md"), encoding: .utf8)
    #expect(
      page.contains(outcome.output),
      "write the output of `learn2048 inspect default --card …` to Models/README.md again")
  }
}
