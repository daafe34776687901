import Foundation
import Testing

@Suite("average")
struct AverageTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.train(
      "--set", "checkpoint.everyEpisodes=100", "--set", "checkpoint.keep=10")
  }

  private func average(_ arguments: String...) throws -> Outcome {
    try workspace.run(["average"] + arguments)
  }

  /// The model's values of the moves of some boards.
  private func values(_ model: String) throws -> [Double] {
    try ["1123000000000000", "1000200030004012", "3210123432101234"].flatMap { board in
      let outcome = try workspace.run(
        "analyze", "--board", board, "--model", model, "--depth", "1", "--json")
      try #require(outcome.code == 0, "\(outcome)")
      return try JSON(outcome.output)["moves"].array.compactMap { $0["value"].number }
    }
  }

  @Test("boards have the mean of their values")
  func mean() throws {
    let outcome = try average("tiny@100", "tiny@200", "tiny@300", "-o", "mean.safetensors")
    #expect(outcome.code == 0 && outcome.output == "", "\(outcome)")
    let parts = try ["tiny@100", "tiny@200", "tiny@300"].map { try values($0) }
    let means = try values("./mean.safetensors")
    #expect(means.count > 5 && parts.allSatisfy { $0.count == means.count })
    for (place, mean) in means.enumerated() {
      let expected = parts.reduce(0) { $0 + $1[place] } / 3
      #expect(abs(mean - expected) < 1e-4 * max(1, abs(expected)))
    }
    #expect(parts[0] != parts[2])
  }

  @Test("the training of one run counts once, and that of different ones adds up")
  func history() throws {
    try workspace.resume("tiny", "--episodes", "400")
    try workspace.train("--run", "other", "--seed", "8", "--episodes", "50")
    #expect(try average("tiny@200", "tiny@100", "tiny@400", "-o", "one.safetensors").code == 0)
    let one = try workspace.inspect("./one.safetensors")
    let run = try workspace.inspect("tiny")
    for key in ["episodes", "moves", "seed", "history", "config", "patterns"] {
      #expect(one[key] == run[key], "\(key)")
    }
    #expect(one["episodes"].integer == 400 && one["history"].array.count == 2)

    #expect(try average("tiny", "other", "-o", "two.safetensors").code == 0)
    let two = try workspace.inspect("./two.safetensors")
    #expect(two["history"].array.map { $0["episodes"].integer } == [300, 100, 50])
    #expect(two["episodes"].integer == 450)
  }

  @Test("networks that do not fit, and names that are taken, are refused")
  func refusals() throws {
    try workspace.train("--run", "turned", "--set", #"network.patterns=["456","012"]"#)
    try workspace.train("--run", "downgraded", "--set", "network.downgradeTile=1024")
    try workspace.train("--run", "fours", "--set", "game.fourProbability=0.5")
    try workspace.write("precious", "there.safetensors")
    for (arguments, code, message) in [
      (["tiny", "turned", "-o", "new.safetensors"], 65, "not those of tiny"),
      (
        ["tiny", "downgraded", "-o", "new.safetensors"], 65, "downgraded tile are not those of tiny"
      ),
      (["tiny", "fours", "-o", "new.safetensors"], 65, "fourProbability: it is not that of tiny"),
      (["tiny@100", "tiny@200", "-o", "there.safetensors"], 73, "there.safetensors exists"),
      (["tiny@100", "tiny@200", "-o", "new.w"], 64, "must end in .safetensors"),
      (["tiny", "-o", "new.safetensors"], 64, "two or more models"),
      (["tiny", "none", "-o", "new.safetensors"], 66, "none: no such model"),
    ] as [([String], Int32, String)] {
      let outcome = try workspace.run(["average"] + arguments)
      #expect(outcome.code == code && outcome.errors.contains(message), "\(outcome)")
    }
    #expect(try workspace.text("there.safetensors") == "precious")
    #expect(!workspace.exists("new.safetensors") && !workspace.exists("new.w"))
  }
}
