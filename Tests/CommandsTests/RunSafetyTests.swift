import Foundation
import Testing

@Suite("A run loses nothing silently")
struct RunSafetyTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  // Promise: Learning never changes silently
  @Test("an edited configuration is refused with both values, unless it is accepted")
  func editedConfiguration() throws {
    try workspace.train()
    let configuration = try workspace.text("Models/tiny/config.json")
    let edited = configuration.replacing(#""batchSize" : 256"#, with: #""batchSize" : 255"#)
    #expect(edited != configuration)
    try workspace.write(edited, "Models/tiny/config.json")
    let refused = try workspace.run("train", "--resume", "tiny", "--episodes", "400")
    #expect(refused.code == 78, "\(refused)")
    #expect(
      refused.errors
        == "learn2048: Models/tiny/config.json: learning.batchSize is 255, but the checkpoint was "
        + "trained with 256. Restore the value, or accept it with --accept-config.\n")
    #expect(try workspace.text("Models/tiny/config.json") == edited)
    let accepted = try workspace.run(
      "train", "--resume", "tiny", "--episodes", "400", "--accept-config")
    #expect(accepted.code == 0, "\(accepted)")
    #expect(
      accepted.errors.contains(
        "warning: learning.batchSize has changed since the last checkpoint: 256 → 255"))
    try workspace.resume("tiny", "--episodes", "500")
    let useless = try workspace.run("train", "--config", "tiny.json", "--accept-config")
    #expect(useless.code == 64 && useless.errors.contains("without --resume"), "\(useless)")
  }

  // Promise: Learning never changes silently
  @Test("a run that lost its state is not begun anew")
  func lostState() throws {
    try workspace.train("--set", "checkpoint.keep=1")
    let metrics = try workspace.text("Models/tiny/metrics.jsonl")
    try FileManager.default.removeItem(
      atPath: workspace.path("Models/tiny/checkpoints/state.safetensors"))
    let outcome = try workspace.run("train", "--resume", "tiny", "--episodes", "400")
    #expect(outcome.code == 66, "\(outcome)")
    #expect(
      outcome.errors.contains("state.safetensors: is missing") && outcome.errors.contains("--init"))
    #expect(try workspace.text("Models/tiny/metrics.jsonl") == metrics)
  }

  @Test("reports on a full disk are a warning each, and the run is finished")
  func fullDisk() throws {
    #if os(Linux)
      let program = try workspace.start(
        "train", "--config", "tiny.json", "--episodes", "1e9", "--set", "report.everyEpisodes=20",
        "--json")
      try program.waitForLines(2)
      program.send(SIGKILL)
      _ = try program.finish()
      // Files on a device that is always full.
      let names = workspace.names(in: "Models/tiny").filter {
        $0.hasPrefix("events.") || $0 == "log.txt"
      }
      #expect(names.count == 2)
      for name in names {
        let path = workspace.path("Models/tiny/\(name)")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(
          atPath: path, withDestinationPath: "/dev/full")
      }
      let outcome = try workspace.run("train", "--resume", "tiny", "--episodes", "300")
      #expect(outcome.code == 0, "\(outcome)")
      let warnings = outcome.errors.split(separator: "\n").filter { $0.contains("warning: ") }
      // A file that is not regular is not continued, so that the event file is a new one.
      #expect(warnings.count == 1 && warnings[0].contains("Models/tiny/log.txt: cannot append"))
      #expect(warnings[0].contains("No space left on device. Free some disk space"))
      #expect(try workspace.inspect("tiny")["episodes"].integer == 300)
    #endif
  }

  @Test("no file of a run gets the descriptor of a closed stream", arguments: 0...2)
  func closedStreams(descriptor: Int) throws {
    let closed = descriptor == 0 ? "<&-" : "\(descriptor)>&-"
    let program = try workspace.startShell(
      "exec \"$learn2048\" train --config tiny.json --episodes 1e9 \(closed)")
    try wait(for: "a report", situation: { program.errors }) {
      workspace.exists("Models/tiny/metrics.jsonl")
    }
    #if os(Linux)
      let file = try FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(program.identifier)/fd/\(descriptor)")
      #expect(file == "/dev/null")
    #endif
    #expect(try workspace.text("Models/tiny/lock") == "\(program.identifier)\n")
    program.send(SIGTERM)
    #expect(try program.finish().code == 143)
  }

  @Test("results for a closed standard output are an error")
  func closedOutput() throws {
    let outcome = try workspace.shell(#""$learn2048" inspect tiny.json >&-; echo $? > code"#)
    #expect(try workspace.text("code") == "65\n", "\(outcome)")
    try workspace.train()
    let whole = try workspace.shell(#""$learn2048" inspect tiny >&-; echo $? > code"#)
    #expect(try workspace.text("code") == "74\n", "\(whole)")
    #expect(whole.errors.contains("standard output"))
  }

  // Promise: Learning never changes silently
  @Test("a second trainer is kept out although the file of the lock is gone")
  func deletedLock() throws {
    let program = try workspace.start(
      "train", "--config", "tiny.json", "--episodes", "1e9", "--json")
    try program.waitForLines(1)
    try FileManager.default.removeItem(atPath: workspace.path("Models/tiny/lock"))
    let outcome = try workspace.run("train", "--resume", "tiny")
    #expect(outcome.code == 75, "\(outcome)")
    program.send(SIGTERM)
    #expect(try program.finish().code == 143)
  }

  @Test("a place without checkpoints leaves no new run")
  func unusableDirectory() throws {
    let long = String(repeating: "x", count: 300)
    let outcome = try workspace.run("train", "--config", "tiny.json", "--run", "a/\(long)")
    #expect(outcome.code == 73, "\(outcome)")
    #expect(outcome.errors.contains("File name too long. Choose another name."), "\(outcome)")
    #expect(!workspace.exists("a"))
  }
}
