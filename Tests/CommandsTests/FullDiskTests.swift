import Foundation
import Testing

/// A limit on the size of files stands for a full disk: both fail in the middle of a write.
@Suite("A full disk")
struct FullDiskTests {
  private let workspace: Workspace
  /// Whether the shell ignores the signal that comes with the limit, or the program has to.
  private static let signals = ["trap '' XFSZ", ":"]
  /// Room for the small files, but not for the weights.
  private static let limit = "ulimit -f 100"

  init() throws {
    workspace = try Workspace()
  }

  private func train(_ arguments: String, signals: String) throws -> Outcome {
    try workspace.shell(
      "\(signals); \(FullDiskTests.limit); exec \"$learn2048\" train \(arguments)")
  }

  // Promise: A run is never lost
  @Test(
    "a save that fails leaves the checkpoint before it, from which the run goes on",
    arguments: signals)
  func failedSave(signals: String) throws {
    try workspace.train("--run", "full", "--set", "network.patterns=2x4")
    let saved = try workspace.checksum("full")
    let files = workspace.names(in: "Models/full/checkpoints")

    let outcome = try train("--resume full --episodes 400", signals: signals)
    #expect(outcome.code == 74, "\(outcome)")
    let message = outcome.errors.split(separator: "\n").last ?? ""
    #expect(
      message.contains("Models/full/checkpoints/episodes-000000400.safetensors"), "\(outcome)")
    #expect(message.contains("ulimit -f"), "\(outcome)")

    #expect(try workspace.checksum("full") == saved)
    #expect(workspace.names(in: "Models/full/checkpoints") == files, "no temporary stays")
    try workspace.resume("full", "--episodes", "400")
    try workspace.train("--run", "whole", "--episodes", "400", "--set", "network.patterns=2x4")
    #expect(try workspace.checksum("full") == workspace.checksum("whole"))
  }

  @Test("games that cannot be saved are reported, and the games go on")
  func failedGames() throws {
    let command = "evaluate --against heuristic:depth=2 --games 1e6 --csv games.csv --threads 1"
    let program = try Program(
      executable: "/bin/sh", ["-c", "ulimit -f 0; exec \"$learn2048\" \(command)"],
      in: workspace.directory.path,
      environment: Workspace.environment(["learn2048": Executable.path()]))
    try wait(for: "a warning", situation: { program.errors }) {
      program.errors.contains("warning")
    }
    program.send(SIGINT)
    let outcome = try program.finish()
    #expect(outcome.code == 74, "\(outcome)")
    #expect(
      outcome.errors.components(
        separatedBy: "warning: the games so far could not be saved. games.csv:"
      )
      .count == 2, "\(outcome)")
    #expect(outcome.errors.contains("results so far:"))
    #expect(
      !workspace.exists("games.csv") && workspace.names(in: ".").allSatisfy { !$0.contains(".tmp") }
    )
  }

  @Test("a run whose first weights cannot be saved never was")
  func failedStart() throws {
    try workspace.train("--run", "full", "--set", "network.patterns=2x4")
    let outcome = try train(
      "--config tiny.json --set network.patterns=2x4 --init full --run copy", signals: ":")
    #expect(outcome.code == 74, "\(outcome)")
    #expect(workspace.names(in: "Models") == ["full"])
  }

  // Promise: A run is never lost
  @Test("a checkpoint on the way that fails is reported, and the training goes on")
  func failedCheckpoint() throws {
    let outcome = try train(
      "--config tiny.json --set network.patterns=2x4 --set checkpoint.everyEpisodes=100",
      signals: ":")
    #expect(outcome.code == 74, "\(outcome)")
    #expect(outcome.errors.components(separatedBy: "cannot save a checkpoint").count == 3)
    #expect(try workspace.reports("tiny").map { $0["episodes"].integer } == [100, 200, 300])
    #expect(workspace.names(in: "Models/tiny/checkpoints") == [])
  }
}
