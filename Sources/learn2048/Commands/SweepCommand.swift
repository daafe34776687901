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
    abstract: "Compare configurations on equal budgets with several seeds.",
    discussion: """
      A plan names a base configuration, the keys to vary, the seeds and the budget; Docs/Tasks/Sweep.md \
      documents it. Every new sweep gets a directory under Models/ with its table as results.csv and \
      results.jsonl. Ctrl-C, SIGTERM and SIGHUP save the state and end the sweep; --resume continues it, \
      even after a crash.

        learn2048 sweep --plan Configs/Sweeps/lambda.json
      """)

  @Option(
    help: ArgumentHelp(
      "Read the plan from this JSON file, such as Configs/Sweeps/lambda.json.", valueName: "file"))
  var plan: String?

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "Create the sweep with this name under Models/, or at this path (default: the next free name).",
      valueName: "dir"))
  var runName: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Number of threads of evaluations, and of training if the plan sets none, 1 to 1024 (default: one \
      per core).
      """, valueName: "n"),
    transform: threadCount)
  var threads: Int?

  @Option(help: ArgumentHelp("Resume the sweep in this directory.", valueName: "dir"))
  var resume: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if resume == nil && plan == nil {
      throw ValidationError(
        "no plan is given. Name one with --plan, such as Configs/Sweeps/lambda.json, or a sweep with "
          + "--resume.")
    }
    if resume != nil {
      for (option, isGiven) in [("--plan", plan != nil), ("--run", runName != nil)] where isGiven {
        throw ValidationError("--resume continues a sweep as it was started. Leave out \(option).")
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
      throw Failure(.missingInput, "no sweep at \(name). Name a directory that has a plan.json.")
    }
    return try Sweep.resume(in: directory, threads: threads ?? coreCount)
  }
}
