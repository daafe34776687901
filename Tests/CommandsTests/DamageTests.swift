import Foundation
import Testing

@Suite("Damaged and missing files")
struct DamageTests {
  private let workspace: Workspace
  private static let weights = "Models/tiny/checkpoints/episodes-000000300.safetensors"
  private static let state = "Models/tiny/checkpoints/state.safetensors"

  init() throws {
    workspace = try Workspace()
    try workspace.train()
  }

  private static let readers = [
    ["inspect", "tiny"], ["evaluate", "tiny", "--games", "1"],
    ["analyze", "--board", "1100000000000000", "--model", "tiny"],
    ["play", "--watch", "--model", "tiny"], ["train", "--resume", "tiny", "--episodes", "400"],
    ["train", "--config", "tiny.json", "--init", "tiny"],
  ]

  // Promise: Learning never changes silently
  @Test(
    "a changed byte of the weights is noticed by every command",
    arguments: readers, [0.02, 0.1, 0.5, 1])
  func changedByte(command: [String], place: Double) throws {
    try workspace.damage(DamageTests.weights) { Int(place * Double($0 - 1)) }
    let outcome = try workspace.run(command)
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.output == "")
    #expect(outcome.errors.contains(DamageTests.weights), "\(outcome)")
    #expect(outcome.errors.split(separator: "\n").count <= 2)
    #expect(workspace.names(in: "Models") == ["tiny"])
  }

  @Test("a file that was cut short is noticed", arguments: [0, 5, 400, 30_000])
  func cutFile(length: Int) throws {
    let bytes = try workspace.directory.bytes(DamageTests.weights)
    try workspace.directory.write(bytes.prefix(length), DamageTests.weights)
    let outcome = try workspace.run("inspect", "tiny")
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.errors.contains(DamageTests.weights), "\(outcome)")
  }

  // Promise: Learning never changes silently
  @Test("a changed byte of the state keeps a run from going on", arguments: [0.1, 0.5, 1])
  func damagedState(place: Double) throws {
    try workspace.damage(DamageTests.state) { Int(place * Double($0 - 1)) }
    let outcome = try workspace.run("train", "--resume", "tiny", "--episodes", "400")
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.errors.contains("state.safetensors"), "\(outcome)")
  }

  @Test("a state and weights of different saves do not go together")
  func mismatch() throws {
    try workspace.train("--run", "other", "--seed", "8")
    try workspace.directory.write(
      workspace.directory.bytes(DamageTests.weights.replacing("tiny", with: "other")),
      DamageTests.weights)
    let outcome = try workspace.run("train", "--resume", "tiny", "--episodes", "400")
    #expect(outcome.code == 65, "\(outcome)")
    #expect(outcome.errors.contains("--init"), "\(outcome)")
  }

  @Test("weights that are gone are missing input")
  func missingWeights() throws {
    try FileManager.default.removeItem(atPath: workspace.path(DamageTests.weights))
    let outcome = try workspace.run("train", "--resume", "tiny", "--episodes", "400")
    #expect(outcome.code == 66, "\(outcome)")
    #expect(outcome.errors.contains(DamageTests.weights), "\(outcome)")
  }

  @Test(
    "a model that is not there is missing input",
    arguments: [
      ["inspect", "nothing"], ["inspect", "no/such/file"], ["evaluate", "nothing"],
      ["analyze", "--board", "1100000000000000", "--model", "nothing"],
      ["play", "--watch", "--model", "nothing"], ["inspect", "tiny@77"],
      ["train", "--config", "tiny.json", "--init", "nothing"],
    ])
  func missingModel(command: [String]) throws {
    let outcome = try workspace.run(command)
    #expect(outcome.code == 66, "\(outcome)")
    #expect(outcome.output == "")
    let expected = command.contains("tiny@77") ? "300" : "runs in Models/: tiny"
    #expect(outcome.errors.contains(expected), "\(outcome)")
    #expect(workspace.names(in: "Models") == ["tiny"])
  }

  @Test("a file of another kind is unsuitable")
  func otherFile() throws {
    for name in ["tiny.json", "Models/tiny/log.txt"] {
      let outcome = try workspace.run("inspect", "./\(name)")
      #expect(outcome.code == 65, "\(outcome)")
      #expect(outcome.errors.contains(name), "\(outcome)")
    }
  }
}
