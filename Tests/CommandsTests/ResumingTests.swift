import Basics
import Foundation
import Play
import Testing

@Suite("train --resume")
struct ResumingTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  /// Starts a run that would take days, and ends it by `signal` after `lines` reports.
  private func interrupt(
    by signal: Int32, afterLines lines: Int, _ settings: [String] = []
  ) throws {
    let program = try workspace.start(
      ["train", "--config", "tiny.json", "--episodes", "1e9", "--run", "broken", "--json"]
        + settings.flatMap { ["--set", $0] })
    try program.waitForLines(lines)
    program.send(signal)
    #expect(try program.finish().code == 128 + signal)
  }

  // Promise: A resumed run ends in the same weights
  @Test(
    "a run that was interrupted ends in the weights of one that was not",
    arguments: [SIGINT, SIGKILL])
  func sameWeights(signal: Int32) throws {
    try interrupt(by: signal, afterLines: 4, ["checkpoint.everyEpisodes=130"])
    let saved = try #require(try workspace.inspect("broken@latest")["episodes"].integer)
    #expect(saved >= (signal == SIGKILL ? 130 : 400))
    // Once more on the way, and then to the end.
    let total = saved + 333
    try workspace.resume("broken", "--episodes", "\(saved + 77)")
    try workspace.resume("broken", "--episodes", "\(total)")

    try workspace.train("--run", "whole", "--episodes", "\(total)")
    #expect(try workspace.checksum("broken") == workspace.checksum("whole"))

    let broken = try workspace.inspect("broken")
    let whole = try workspace.inspect("whole")
    #expect(broken["moves"] == whole["moves"])
    #expect(broken["history"].array.count == 3)
    let learned = broken["history"].array.compactMap { $0["episodes"].integer }
    #expect(learned.reduce(0, +) == total)
  }

  // Promise: A resumed run ends in the same weights
  @Test(
    "in synchronous mode neither an interruption nor the number of threads changes the weights",
    arguments: [SIGINT, SIGKILL])
  func synchronous(signal: Int32) throws {
    let settings = [
      "learning.mode=synchronous", "learning.lanes=3", "learning.roundMoves=48",
      "learning.method=tc",
    ]
    try interrupt(by: signal, afterLines: 4, settings + ["checkpoint.everyEpisodes=130"])
    let saved = try #require(try workspace.inspect("broken@latest")["episodes"].integer)
    let total = saved + 150
    try workspace.resume("broken", "--episodes", "\(saved + 77)", "--threads", "2")
    try workspace.resume("broken", "--episodes", "\(total)", "--threads", "4")
    let outcome = try workspace.run(
      ["train", "--config", "tiny.json", "--run", "whole", "--episodes", "\(total)"]
        + ["--threads", "3"] + settings.flatMap { ["--set", $0] })
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try workspace.checksum("broken") == workspace.checksum("whole"))
    #expect(try workspace.inspect("broken")["moves"] == workspace.inspect("whole")["moves"])
  }

  @Test("synchronous mode uses the threads that can be started")
  func fewThreads() throws {
    #if os(Linux)
      let command =
        #""$learn2048" train --config tiny.json --episodes 100 --set learning.mode=synchronous "#
        + "--set learning.lanes=64 --set learning.roundMoves=256"
      #expect(64 * WorkerThreads.stackSize > 1_000_000 << 10, "all threads fit")
      let few = try workspace.shell("\(command) --run few --threads 64", kibibytes: 1_000_000)
      #expect(few.code == 0, "\(few)")
      let one = try workspace.shell("\(command) --run one --threads 1")
      #expect(one.code == 0, "\(one)")
      #expect(try workspace.checksum("few") == workspace.checksum("one"))
    #endif
  }

  @Test("reports of play that was lost are dropped", arguments: [0, 1])
  func metrics(brokenLine: Int) throws {
    try interrupt(by: SIGKILL, afterLines: 9, ["checkpoint.everyEpisodes=250"])
    if brokenLine == 1 {
      // As a kill in the middle of a write leaves it.
      let metrics = try workspace.text("Models/broken/metrics.jsonl")
      try workspace.write(metrics + #"{"episodes":99"#, "Models/broken/metrics.jsonl")
    }
    let saved = try #require(try workspace.inspect("broken@latest")["episodes"].integer)
    #expect(saved % 250 == 0)
    let total = saved + 450
    try workspace.resume("broken", "--episodes", "\(total)")

    let episodes = try workspace.reports("broken").compactMap { $0["episodes"].integer }
    #expect(episodes == Array(stride(from: 100, to: total, by: 100)) + [total])
    // The numbers are those of a run that nothing happened to, but for what the clock says.
    try workspace.train("--run", "whole", "--episodes", "\(total)")
    for (broken, whole) in zip(try workspace.reports("broken"), try workspace.reports("whole")) {
      for field in ["moves", "meanScore", "maxScore", "reached"] {
        #expect(broken[field] == whole[field], "\(field)")
      }
    }
    let seconds = try workspace.reports("broken").compactMap { $0["wallSeconds"].number }
    #expect(seconds == seconds.sorted())
  }

  @Test("no report is left out or made twice where a run is interrupted")
  func everyReport() throws {
    // Many patterns, so that it is play that gets interrupted and not the writing of a report.
    let patterns = ["012", "013", "014", "015", "016", "017", "018", "019", "025", "026", "027"]
    try interrupt(
      by: SIGTERM, afterLines: 300,
      ["report.everyEpisodes=1", "network.patterns=\(patterns)"])
    var total = try #require(try workspace.inspect("broken")["episodes"].integer)
    for _ in 0..<3 {
      total += 5
      try workspace.resume("broken", "--episodes", "\(total)")
    }
    let episodes = try workspace.reports("broken").compactMap { $0["episodes"].integer }
    #expect(episodes == Array(1...total))
  }

  @Test("with --episodes a finished run goes on to the new total")
  func largerTotal() throws {
    try workspace.train("--run", "grown")
    try workspace.resume("grown", "--episodes", "1_000", "--set", "report.everyEpisodes=350")
    try workspace.train("--run", "whole", "--episodes", "1000")
    #expect(try workspace.checksum("grown") == workspace.checksum("whole"))
    #expect(try JSON(workspace.text("Models/grown/config.json"))["episodes"].integer == 1_000)
  }

  @Test("a finished run says that it is")
  func finished() throws {
    try workspace.train()
    let outcome = try workspace.run("train", "--resume", "tiny")
    #expect(outcome.code == 64)
    #expect(
      outcome.errors
        == "learn2048: Models/tiny: has finished its 300 episodes. "
        + "To continue, pass a larger total with --episodes.\n")
  }

  @Test("a run that never saved starts over, with nothing but its name")
  func neverSaved() throws {
    try interrupt(by: SIGKILL, afterLines: 1, ["report.everyEpisodes=20"])
    #expect(!workspace.exists("Models/broken/checkpoints/state.safetensors"))
    // The total of the configuration, as if it had been this short.
    let configuration = try workspace.text("Models/broken/config.json")
    try workspace.write(
      configuration.replacing("1000000000", with: "300"), "Models/broken/config.json")
    try workspace.resume("broken")
    try workspace.train("--run", "whole")
    #expect(try workspace.checksum("broken") == workspace.checksum("whole"))
    let episodes = try workspace.reports("broken").compactMap { $0["episodes"].integer }
    #expect(episodes == Array(stride(from: 20, through: 300, by: 20)))
  }

  @Test("a run that another process trains is locked")
  func locked() throws {
    let program = try workspace.start(
      "train", "--config", "tiny.json", "--episodes", "1e9", "--json")
    try program.waitForLines(1)
    let outcome = try workspace.run("train", "--resume", "tiny", "--episodes", "2e9")
    #expect(outcome.code == 75, "\(outcome)")
    #expect(outcome.errors.contains("Models/tiny"))
    #expect(outcome.errors.contains("process \(program.identifier)"), "\(outcome)")
    program.send(SIGTERM)
    #expect(try program.finish().code == 143, "the other is unharmed")
  }

  @Test("a lock goes with the process, however that ended")
  func staleLock() throws {
    try interrupt(by: SIGKILL, afterLines: 1)
    try workspace.resume("broken", "--episodes", "50")
  }

  @Test("what has been learned from cannot change")
  func fixedKeys() throws {
    try workspace.train()
    let outcome = try workspace.run(
      "train", "--resume", "tiny", "--episodes", "400", "--set", "seed=4",
      "--set", "learning.batchSize=8", "--set", "report.everyEpisodes=7")
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("seed") && outcome.errors.contains("learning.batchSize"))
    #expect(!outcome.errors.contains("report.everyEpisodes"), "\(outcome)")
    #expect(try workspace.inspect("tiny")["episodes"].integer == 300)
  }

  @Test("a configuration that cannot be read is named")
  func unreadableConfiguration() throws {
    try workspace.train("--episodes", "5")
    let manager = FileManager.default
    try manager.removeItem(atPath: workspace.path("Models/tiny/config.json"))
    try manager.createDirectory(
      atPath: workspace.path("Models/tiny/config.json"), withIntermediateDirectories: false)
    let outcome = try workspace.run("train", "--resume", "tiny")
    #expect(outcome.code == 66, "\(outcome)")
    #expect(outcome.errors.contains("Models/tiny/config.json: cannot be read"), "\(outcome)")
  }

  @Test("a run that is not there is missing input, and those that are get named")
  func missingRun() throws {
    try workspace.train("--episodes", "5")
    let outcome = try workspace.run("train", "--resume", "tinny")
    #expect(outcome.code == 66)
    #expect(outcome.errors.hasPrefix("learn2048: tinny: no such run in /"))
    #expect(outcome.errors.hasSuffix(": tiny.\n"), "\(outcome)")
  }
}
