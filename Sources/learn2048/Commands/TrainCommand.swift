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
      A new run gets a directory under Models/. SIGINT, SIGTERM and SIGHUP save the state and end the \
      run; --resume goes on with it, even after a crash.
      """)

  @Option(help: "The configuration, a JSON file.")
  var config: String?

  @Option(
    parsing: .unconditional, help: "The episodes of the whole run, such as 1e6.",
    transform: positiveCount)
  var episodes: Int?

  @Option(
    parsing: .unconditional,
    help: "Train for so many minutes instead; given with --episodes, until the first of both.",
    transform: trainingMinutes)
  var minutes: Double?

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp("The name of the new run, under Models/, or its path.", valueName: "dir"))
  var runName: String?

  @Option(
    parsing: .unconditional, help: "Worker threads, at most 1024; by default one for each core.",
    transform: threadCount)
  var threads: Int?

  @Option(parsing: .unconditional, help: "The seed of all spawns.", transform: count)
  var seed: Int?

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("Set a key of the configuration; may be repeated.", valueName: "key=value"))
  var settings: [String] = []

  @Option(help: "Go on with the run in this directory.")
  var resume: String?

  @Option(
    name: .customLong("init"),
    help: ArgumentHelp("Start from the weights of another model.", valueName: "model"))
  var initialModel: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if resume == nil && config == nil {
      throw ValidationError(
        "name a configuration with --config, such as Configs/ntuple.json, or a run with --resume.")
    }
    if resume != nil {
      for (option, isGiven) in [
        ("--config", config != nil), ("--run", runName != nil), ("--init", initialModel != nil),
        ("--seed", seed != nil),
      ] where isGiven {
        throw ValidationError("--resume continues a run as it was started: leave out \(option).")
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
        // Another process was faster: the next name.
      }
    }
  }

  private func resumedRun(_ name: String) throws -> TrainingRun {
    let directory = RunDirectory(path: try ModelLocator.runDirectory(name))
    let configuration = try settled(
      ConfigurationReader(base: try directory.configuration(), isResuming: true))
    return try TrainingRun.resume(in: directory, configuration: configuration)
  }

  /// The configuration with what the command line says on top: a flag beats the file.
  private func settled(_ reader: ConfigurationReader) throws -> TrainingConfiguration {
    var reader = reader
    // What the options say of the run's length replaces all that the file says of it.
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
