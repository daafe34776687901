import ArgumentParser
import Basics
import Checkpoints
import Configuration
import Foundation
import Players
import Training

struct TrainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a network by self-play.",
    discussion: """
      Every new run gets a directory under Models/. Ctrl-C, SIGTERM and SIGHUP save the state and end the \
      run; --resume continues it, even after a crash.

        learn2048 train --config Configs/ntuple.json --episodes 1e6
        learn2048 train --resume ntuple
      """)

  @Option(
    help: ArgumentHelp(
      "Read the configuration from this JSON file, such as Configs/ntuple.json.", valueName: "file")
  )
  var config: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this many episodes in total, such as 1e6 (default: as the configuration says).",
      valueName: "n"),
    transform: positiveCount)
  var episodes: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this many minutes of training (with --episodes: whichever comes first).",
      valueName: "minutes"),
    transform: trainingMinutes)
  var minutes: Double?

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "Create the run with this name under Models/, or at this path (default: the next free name).",
      valueName: "dir"))
  var runName: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of worker threads, 1 to 1024 (default: one per core).", valueName: "n"),
    transform: threadCount)
  var threads: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Seed of all spawns (default: 1).", valueName: "n"),
    transform: count)
  var seed: Int?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Set a configuration key, such as learning.learningRate=0.05. Repeatable.",
      valueName: "key=value"))
  var settings: [String] = []

  @Option(help: ArgumentHelp("Resume the run in this directory.", valueName: "dir"))
  var resume: String?

  @Option(
    name: .customLong("init"),
    help: ArgumentHelp("Start a new run from the weights of this model.", valueName: "model"))
  var initialModel: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if resume == nil && config == nil {
      throw ValidationError(
        "no configuration is given. Name one with --config, such as Configs/ntuple.json, or a run with "
          + "--resume.")
    }
    if resume != nil {
      for (option, isGiven) in [
        ("--config", config != nil), ("--run", runName != nil), ("--init", initialModel != nil),
        ("--seed", seed != nil),
      ] where isGiven {
        throw ValidationError("--resume continues a run as it was started. Leave out \(option).")
      }
    }
  }

  func run() throws {
    let run = try resume.map(resumedRun) ?? newRun()
    try TrainingConsole(run: run, printsJSON: output.json).train()
  }

  private func newRun() throws -> TrainingRun {
    let path = try configsPath(config ?? "", kind: "configuration")
    let data = try TextFile.read(path)
    var defaults = TrainingConfiguration()
    defaults.threads = coreCount
    var reader = ConfigurationReader(base: defaults)
    reader.read(data, name: path)
    let configuration = try settled(reader)

    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let initialModel = try initialModel.map(ModelLocator.find)
    if let runName {
      let directory = RunDirectory(path: ModelsDirectory.path(named: runName))
      try requireFree(directory.path, canBeResumed: directory.exists)
      return try TrainingRun.start(
        in: directory, configuration: configuration, initialModel: initialModel)
    }
    while true {
      do {
        return try TrainingRun.start(
          in: RunDirectory.nextFree(in: ModelsDirectory.path, base: name),
          configuration: configuration, initialModel: initialModel)
      } catch let error as LocatedError where error.kind == .locked {
        // Another process has taken the name, so the next one is tried.
      }
    }
  }

  private func resumedRun(_ name: String) throws -> TrainingRun {
    let directory = RunDirectory(path: try ModelLocator.runDirectory(name))
    let configuration = try settled(
      ConfigurationReader(base: try directory.configuration(), isResuming: true))
    return try TrainingRun.resume(in: directory, configuration: configuration)
  }

  /// Returns the configuration with the options of the command line, which override the file.
  private func settled(_ reader: ConfigurationReader) throws -> TrainingConfiguration {
    var reader = reader
    // Options of the run's length replace every limit of the file.
    if episodes != nil || minutes != nil { reader.clearLength() }
    if let minutes {
      reader.set("limit.seconds", to: .number(60 * minutes), option: "--minutes")
    }
    for setting in settings { reader.set(setting) }
    let options = [
      ("episodes", "--episodes", episodes), ("threads", "--threads", threads),
      ("seed", "--seed", seed),
    ]
    for (key, option, value) in options {
      if let value { reader.set(key, to: .integer(value), option: option) }
    }
    return try reader.finished()
  }
}
