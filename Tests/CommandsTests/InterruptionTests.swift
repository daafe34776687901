import Foundation
import Testing

@Suite("Signals")
struct InterruptionTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  @Test(
    "a signal ends a training with its state saved",
    arguments: [EndingSignal.interrupt, .terminate, .hangUp, .timeLimit])
  func training(signal: EndingSignal) throws {
    let program = try workspace.start(
      "train", "--config", "tiny.json", "--episodes", "1e9", "--json")
    try program.waitForLines(1)
    program.send(signal.number)
    let outcome = try program.finish()
    #expect(outcome.code == signal.code, "\(outcome)")
    #expect(outcome.errors.contains("--resume Models/tiny"), "\(outcome)")

    let saved = try #require(try workspace.inspect("tiny")["episodes"].integer)
    #expect(saved >= 100)
    try workspace.resume("tiny", "--episodes", "\(saved + 150)")
    #expect(try workspace.inspect("tiny")["episodes"].integer == saved + 150)
  }

  // Promise: A run is never lost
  @Test("a training saves its state as time passes, and a kill leaves it")
  func savedByTime() throws {
    let program = try workspace.start(
      "train", "--config", "tiny.json", "--episodes", "1e9", "--set", "report.everyEpisodes=1e9",
      "--set", "checkpoint.everySeconds=0.05")
    try wait(for: "a saved state", situation: { program.errors }) {
      workspace.exists("Models/tiny/checkpoints/state.safetensors")
    }
    program.send(SIGKILL)
    #expect(try program.finish().code == 128 + SIGKILL)

    let saved = try #require(try workspace.inspect("tiny@latest")["episodes"].integer)
    try workspace.resume("tiny", "--episodes", "\(saved + 150)")
    let history = try workspace.inspect("tiny")["history"].array.compactMap {
      $0["episodes"].integer
    }
    #expect(history.count == 2 && history[0] > 0 && history.reduce(0, +) == saved + 150)
  }

  @Test("a training saves a checkpoint when a scheduler announces its end, and continues")
  func savedOnRequest() throws {
    let program = try workspace.start(
      "train", "--config", "tiny.json", "--episodes", "1e9", "--set", "report.everyEpisodes=1e9",
      "--set", "checkpoint.everySeconds=0")
    try program.waitForHandler(of: SIGUSR2)
    var saved = -1
    for number in [SIGUSR1, SIGUSR2] {
      program.send(number)
      try wait(for: "a checkpoint", situation: { program.errors }) {
        guard workspace.exists("Models/tiny/checkpoints/state.safetensors") else { return false }
        return try workspace.inspect("tiny@latest")["episodes"].integer ?? 0 > saved
      }
      saved = try #require(try workspace.inspect("tiny@latest")["episodes"].integer)
    }
    program.send(SIGTERM)
    #expect(try program.finish().code == 128 + SIGTERM)
    #expect(try workspace.inspect("tiny@latest")["episodes"].integer ?? 0 > saved)
  }

  @Test("two signals at once count as one, and an evaluation prints what it has")
  func signalsAtOnce() throws {
    let program = try workspace.start(
      "evaluate", "--against", "heuristic:depth=2", "--games", "1e4", "--threads", "1", "--csv",
      "games.csv")
    try wait(for: "saved games", situation: { program.errors }) { workspace.exists("games.csv") }
    program.send(SIGUSR1)
    program.send(SIGTERM)
    // Like `timeout`, which signals the process and then its group. A signal that is pending is not sent again.
    program.send(SIGINT)
    let outcome = try program.finish()
    #expect([128 + SIGTERM, 128 + SIGINT].contains(outcome.code), "\(outcome)")
    #expect(outcome.errors.contains("results so far:"), "\(outcome)")
  }

  /// Starts the program with streams that are full and that nobody reads.
  private func startUnread(_ arguments: [String]) throws -> (program: Program, pipe: Pipe) {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    while write(descriptor, [0], 1) == 1 {}
    _ = fcntl(descriptor, F_SETFL, flags)
    let program = try Program(
      executable: Executable.path(), arguments, in: workspace.directory.path,
      environment: Workspace.environment(), terminal: pipe.fileHandleForWriting)
    return (program, pipe)
  }

  // Promise: A run is never lost
  @Test("a training saves its state, and ends, if nobody reads what it prints")
  func unreadTraining() throws {
    let (program, pipe) = try startUnread([
      "train", "--config", "tiny.json", "--episodes", "1e9", "--json", "--set",
      "checkpoint.everySeconds=0.05",
    ])
    defer { withExtendedLifetime(pipe) {} }
    try wait(for: "a checkpoint") {
      workspace.exists("Models/tiny/checkpoints/state.safetensors")
    }
    let first = try #require(try workspace.inspect("tiny@latest")["episodes"].integer)
    try wait(for: "another checkpoint") {
      try workspace.inspect("tiny@latest")["episodes"].integer ?? 0 > first
    }
    program.send(SIGTERM)
    #expect(try program.finish().code == 128 + SIGTERM)
    let saved = try #require(try workspace.inspect("tiny")["episodes"].integer)
    try workspace.resume("tiny", "--episodes", "\(saved + 150)")
  }

  // Promise: A run is never lost
  @Test("an evaluation writes its games, and ends, if nobody reads what it prints")
  func unreadEvaluation() throws {
    let (program, pipe) = try startUnread([
      "evaluate", "--against", "random", "--games", "1e7", "--csv", "games.csv",
    ])
    defer { withExtendedLifetime(pipe) {} }
    try wait(for: "saved games") { workspace.exists("games.csv") }
    program.send(SIGTERM)
    #expect(try program.finish().code == 128 + SIGTERM)
    #expect(try workspace.text("games.csv").split(separator: "\r\n").count > 1)
  }

  @Test("a server ends if nobody reads what it prints")
  func unreadServer() throws {
    try workspace.train()
    let (program, pipe) = try startUnread(["serve", "--model", "tiny", "--port", "0"])
    defer { withExtendedLifetime(pipe) {} }
    try program.waitForHandler(of: SIGTERM)
    program.send(SIGTERM)
    #expect(try program.finish().code == 128 + SIGTERM)
  }

  @Test("several signals save the state once")
  func manySignals() throws {
    let program = try workspace.start(
      "train", "--config", "tiny.json", "--episodes", "1e9", "--json")
    try program.waitForLines(1)
    for signal in [SIGTERM, SIGINT, SIGTERM, SIGHUP] { program.send(signal) }
    let outcome = try program.finish()
    #expect([129, 130, 143].contains(outcome.code), "\(outcome)")
    #expect(outcome.errors.components(separatedBy: "stopping").count == 2, "\(outcome)")
    #expect(workspace.names(in: "Models/tiny/checkpoints").count == 2)
  }

  @Test("a signal that was ignored from the start stays ignored, as nohup asks")
  func ignoredSignal() throws {
    let program = try Program(
      executable: "/bin/sh",
      ["-c", #"trap "" HUP; exec "$learn2048" train --config tiny.json --episodes 1e9 --json"#],
      in: workspace.directory.path,
      environment: Workspace.environment(["learn2048": Executable.path()]))
    try program.waitForLines(1)
    program.send(SIGHUP)
    let lines = program.output.split(separator: "\n").count
    try program.waitForLines(lines + 3)
    program.send(SIGTERM)
    #expect(try program.finish().code == 143)
  }

  @Test(
    "a signal ends an evaluation without results",
    arguments: [EndingSignal.interrupt, .terminate], [[], ["--json"]])
  func evaluation(signal: EndingSignal, options: [String]) throws {
    let program = try workspace.start(
      ["evaluate", "--against", "random", "--games", "1e7"] + options)
    try program.waitForHandler(of: signal.number)
    program.send(signal.number)
    let outcome = try program.finish()
    #expect(outcome.code == signal.code, "\(outcome)")
    #expect(outcome.output == "")
  }

  @Test("a signal before a whole game writes no files")
  func evaluationWithoutGames() throws {
    // The first of the two begins, and no game is whole without the second.
    let program = try workspace.start(
      "evaluate", "--against", "heuristic:depth=5", "--against", "random", "--threads", "1",
      "--csv", "games.csv", "--record", "games")
    try program.waitForHandler(of: SIGINT)
    #expect(try program.insist(SIGINT).code == 128 + SIGINT)
    #expect(!workspace.exists("games.csv") && !workspace.exists("games"))
  }

  // Promise: A run is never lost
  @Test("the games before a kill are in the files, and --resume continues with them")
  func killedEvaluation() throws {
    let arguments = [
      "evaluate", "--against", "heuristic:depth=2", "--threads", "1", "--csv", "games.csv",
      "--record", "games",
    ]
    let program = try workspace.start(arguments + ["--games", "1e4"])
    try wait(for: "saved games", situation: { program.errors }) { workspace.exists("games.csv") }
    program.send(SIGKILL)
    #expect(try program.finish().code == 128 + SIGKILL)

    let lines = try workspace.text("games.csv").split(separator: "\r\n")
    #expect(lines.count >= 2)
    let resumed = try workspace.run(arguments + ["--games", "\(lines.count + 1)", "--resume"])
    #expect(resumed.code == 0, "\(resumed)")
    let more = try workspace.text("games.csv").split(separator: "\r\n")
    #expect(more.count == lines.count + 2 && more.starts(with: lines))
    #expect(try workspace.run("replay", "games", "--game", "\(lines.count + 1)").code == 0)
    #expect(workspace.names(in: ".").allSatisfy { !$0.contains(".tmp") }, "no temporary stays")
  }

  @Test("a signal to a resumed evaluation leaves the recorded games of every player")
  func interruptedRecord() throws {
    func arguments(_ options: String...) -> [String] {
      ["evaluate", "--threads", "1", "--csv", "games.csv", "--record", "games"] + options
    }
    #expect(try workspace.run(arguments("--against", "random", "--games", "50")).code == 0)
    func lastGame() throws -> String {
      let outcome = try workspace.run("replay", "games", "--player", "random", "--game", "50")
      #expect(outcome.code == 0, "\(outcome)")
      // The first line counts the recorded games of the player, which become more.
      return outcome.lines.dropFirst().joined(separator: "\n")
    }
    let before = try lastGame()
    // The added player finishes a few games before the signal, and the one under way.
    let program = try workspace.start(
      arguments(
        "--against", "random", "--against", "heuristic:depth=2", "--games", "1000", "--resume"))
    try program.waitForHandler(of: SIGINT)
    usleep(300_000)
    program.send(SIGINT)
    #expect(try program.finish().code == 128 + SIGINT)
    #expect(try lastGame() == before)
  }

  @Test("the games of a learning curve before a kill are recorded")
  func killedCurve() throws {
    try workspace.train()
    let program = try workspace.start(
      "evaluate", "tiny@all", "--against", "heuristic:depth=2", "--games", "1e4", "--threads", "1",
      "--csv", "games.csv", "--record", "games")
    try wait(for: "saved games", situation: { program.errors }) { workspace.exists("games.csv") }
    program.send(SIGKILL)
    #expect(try program.finish().code == 128 + SIGKILL)
    let last = try workspace.text("games.csv").split(separator: "\r\n").count - 1
    let replay = try workspace.run("replay", "games", "--game", "\(last)")
    #expect(replay.code == 0, "\(replay)")
  }

  @Test("a learning curve that is stopped keeps the games of later checkpoints")
  func stoppedCurve() throws {
    try workspace.train("--set", "checkpoint.everyEpisodes=100", "--set", "checkpoint.keep=9")
    let arguments = [
      "evaluate", "tiny@all", "--csv", "games.csv", "--record", "games", "--threads", "1",
    ]
    #expect(try workspace.run(arguments + ["--games", "10"]).code == 0)
    let before = try workspace.text("games.csv").split(separator: "\r\n")
    #expect(before.count == 31)
    func lastRecordedGame() throws -> [Substring] {
      let outcome = try workspace.run(
        "replay", "games", "--player", "learned:model=tiny@300,depth=1", "--game", "10")
      #expect(outcome.code == 0, "\(outcome)")
      return outcome.lines
    }
    let recorded = try lastRecordedGame()
    let program = try workspace.start(arguments + ["--games", "3e4", "--resume"])
    try program.waitForHandler(of: SIGINT)
    program.send(SIGINT)
    #expect(try program.finish().code == 128 + SIGINT)
    let after = try workspace.text("games.csv").split(separator: "\r\n")
    #expect(Set(after).isSuperset(of: before))
    #expect(try lastRecordedGame() == recorded)
  }

  @Test("the games before a signal are written to the files asked for")
  func evaluationFiles() throws {
    // Only a terminal is told at once how many games there are.
    let terminal = try PseudoTerminal()
    let program = try Program(
      executable: Executable.path(),
      [
        "evaluate", "--against", "random", "--against", "expectimax:evaluator=emptyCells,depth=3",
        "--games", "5e4", "--csv", "games.csv", "--record", "games", "--json",
      ], in: workspace.directory.path, environment: Workspace.environment(),
      terminal: terminal.handle)
    try wait(for: "some games", situation: { terminal.text }) {
      terminal.text.contains(#/[1-9][0-9,]+/100,000 games/#)
    }
    program.send(SIGINT)
    let outcome = try program.finish()
    try terminal.settle()
    #expect(outcome.code == 128 + SIGINT, "\(terminal.text)")
    #expect(terminal.text.contains("results so far:"))
    #expect(terminal.text.contains("resume with the same command and --resume"))
    let lines = try workspace.text("games.csv").split(separator: "\r\n")
    #expect(lines.first?.hasPrefix("game,player") ?? false)
    #expect(lines.count >= 3 && lines.count % 2 == 1, "whole games")
    let replay = try workspace.run("replay", "games", "--game", "100000")
    #expect(replay.code == 64)
    #expect(replay.errors.contains("The last is \((lines.count - 1) / 2)"), "\(replay)")
  }

  @Test("a long game shows its moves, and games that are done the time left")
  func progressOfAnEvaluation() throws {
    let terminal = try PseudoTerminal()
    let program = try Program(
      executable: Executable.path(),
      ["evaluate", "--against", "heuristic:time=20", "--games", "1"],
      in: workspace.directory.path, environment: Workspace.environment(), terminal: terminal.handle)
    try wait(for: "moves of the first game", situation: { terminal.text }) {
      terminal.text.contains(#/0/1 game  [1-9][0-9,]* moves/#)
    }
    program.send(SIGKILL)
    _ = try program.finish()

    let quick = try PseudoTerminal()
    let whole = try Program(
      executable: Executable.path(),
      ["evaluate", "--against", "heuristic", "--games", "60", "--threads", "1"],
      in: workspace.directory.path, environment: Workspace.environment(), terminal: quick.handle)
    try wait(for: "games with the time left", situation: { quick.text }) {
      quick.text.contains(#/[1-9][0-9]*/60 games  [1-9][0-9,]* moves  [0-9:.hms ]+ left/#)
    }
    whole.send(SIGKILL)
    _ = try whole.finish()
  }

  @Test(
    "a second signal ends an evaluation in the middle of a game",
    arguments: [EndingSignal.interrupt, .terminate])
  func impatience(signal: EndingSignal) throws {
    // A game at this depth takes hours.
    let program = try workspace.start("evaluate", "--against", "expectimax:depth=8")
    try program.waitForHandler(of: signal.number)
    // Time for the game to begin.
    usleep(200_000)
    let outcome = try program.insist(signal.number)
    #expect(outcome.code == signal.code, "\(outcome)")
    #expect(outcome.output == "")
  }
}
