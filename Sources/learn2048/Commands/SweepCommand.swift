import ArgumentParser
import Basics
import Checkpoints
import Configuration
import Foundation
import Players
import Sweeps

struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Compare configurations by experiment, on equal budgets and with several seeds.",
    discussion: """
      A plan names a base configuration, what to vary, the seeds and the budget; Docs/Experiments.md \
      describes it. A new sweep gets a directory under Models/, with the table as results.csv and \
      results.jsonl. SIGINT, SIGTERM and SIGHUP save the state and end the sweep; --resume goes on with \
      it, even after a crash.
      """)

  @Option(help: "The plan, a JSON file.")
  var plan: String?

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "The name of the sweep's directory, under Models/, or its path.", valueName: "dir"))
  var runName: String?

  @Option(
    parsing: .unconditional,
    help:
      "Threads of the evaluations, and of the training where the plan gives none; by default one for each core.",
    transform: threadCount)
  var threads: Int?

  @Option(help: "Go on with the sweep in this directory.")
  var resume: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if resume == nil && plan == nil {
      throw ValidationError(
        "name a plan with --plan, such as Configs/Sweeps/lambda.json, or a sweep with --resume.")
    }
    if resume != nil {
      for (option, isGiven) in [("--plan", plan != nil), ("--run", runName != nil)] where isGiven {
        throw ValidationError("--resume continues a sweep as it was started: leave out \(option).")
      }
    }
  }

  func run() throws {
    let sweep = try resume.map(resumedSweep) ?? newSweep()
    try SweepConsole(sweep: sweep, printsJSON: output.json).run()
  }

  private func newSweep() throws -> Sweep {
    let path = try configsPath(plan ?? "", kind: "plan")
    let data = try TextFile.read(path)
    var defaults = TrainingConfiguration()
    defaults.threads = threads ?? coreCount
    let plan = try SweepPlanReader.plan(data, name: path, defaults: defaults) { base in
      try PathLookup.find(base).map { try TextFile.read($0) }
    }
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let directory = SweepDirectory(
      path: runName.map(ModelsDirectory.path)
        ?? RunDirectory.nextFree(in: ModelsDirectory.path, base: name).path)
    try requireFree(directory.path, canBeResumed: directory.exists)
    return try Sweep.start(plan, in: directory, threads: threads ?? coreCount)
  }

  private func resumedSweep(_ name: String) throws -> Sweep {
    let directory = SweepDirectory(path: ModelLocator.existing(name) ?? name)
    guard directory.exists else {
      throw Failure(.missingInput, "no sweep at \(name); a sweep's directory has a plan.json")
    }
    return try Sweep.resume(in: directory, threads: threads ?? coreCount)
  }
}
