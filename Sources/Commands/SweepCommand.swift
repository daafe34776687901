import ArgumentParser
import Basics
import Experiments
import Foundation
import Play
import Synchronization
import Training

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

  @Option("file", "Read the plan from this JSON file, such as Configs/Sweeps/lambda.json.")
  var plan: String?

  @Option(
    name: .customLong("run"), "dir",
    "Create the sweep with this name under Models/, or at this path (default: the next free name).")
  var runName: String?

  @Option(
    "n",
    """
    Number of threads of evaluations, and of training if the plan sets none, 1 to 1024 (default: one \
    per core).
    """,
    read: threadCount)
  var threads: Int?

  @Option("dir", "Resume the sweep in this directory.")
  var resume: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if resume == nil && plan == nil {
      throw ValidationError(
        "no plan is given. Name one with --plan, such as Configs/Sweeps/lambda.json, or a sweep with "
          + "--resume.")
    }
    if resume != nil, let option = firstGiven(["--plan": plan, "--run": runName]) {
      throw ValidationError("--resume continues a sweep as it was started. Leave out \(option).")
    }
  }

  func run() throws {
    try requireThreads()
    let ranks = try Job.join()
    if ranks.isLeader {
      let sweep = try resume.map { try resumedSweep($0, ranks) } ?? newSweep(ranks)
      let outcome = try carryOut(sweep, isSole: ranks.size == 1)
      if let signal = Job.end(ranks, isCut: outcome == .interrupted) {
        throw Failure(signal: signal)
      }
    } else {
      try follow(ranks)
    }
  }

  /// Carries out trials as a rank other than 0, until the sweep of rank 0 ends. A signal stops the sweep.
  private func follow(_ ranks: any Communicator) throws {
    try followQuietly(ranks) { stop in
      try Sweep.follow(ranks, threads: threads ?? coreCount, stop: stop)
    }
  }

  private func newSweep(_ ranks: any Communicator) throws -> Sweep {
    let path = try configsPath(plan ?? "", kind: "plan", in: "Configs/Sweeps")
    let data = try TextFile.read(path)
    var defaults = TrainingConfiguration()
    defaults.threads = threads ?? coreCount
    let plan = try SweepPlanReader.plan(data, name: path, defaults: defaults) { base in
      try PathLookup.find(base).map { try TextFile.read($0) }
    }
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    try ModelLocator.requireOwnMeaning(runName ?? name)
    let directory = SweepDirectory(
      path: runName.map(ModelLocator.path)
        ?? RunDirectory.nextFree(in: ModelLocator.models, base: name).path)
    try requireFree(directory.path, canBeResumed: directory.exists)
    return try Sweep.start(plan, in: directory, threads: threads ?? coreCount, ranks: ranks)
  }

  private func resumedSweep(_ name: String, _ ranks: any Communicator) throws -> Sweep {
    let directory = SweepDirectory(path: ModelLocator.existing(name) ?? name)
    guard directory.exists else {
      throw Failure(.missingInput, "no sweep at \(name). Name a directory that has a plan.json.")
    }
    return try Sweep.resume(in: directory, threads: threads ?? coreCount, ranks: ranks)
  }

  /// Runs the sweep and prints its table.
  ///
  /// - Parameter isSole: Whether no other process carries out trials.
  private func carryOut(_ sweep: Sweep, isSole: Bool) throws -> TrainingRun.Outcome {
    let console = StandardError.shared
    let path = sweep.directory.path
    let done =
      sweep.report.trialsDone > 0 ? ", \(NumberText.grouped(sweep.report.trialsDone)) done" : ""
    console.line(
      """
      sweep in \(path): \(NumberText.count(sweep.plan.variants.count, "variant")), \(NumberText.count(sweep.plan.seeds.count, "seed")), \
      \(sweep.plan.budget.length.text) each: \(NumberText.count(sweep.report.trialsTotal, "trial"))\(done)
      """)
    // The trial of this process that the progress line shows; without a monitor while it is evaluated.
    let trial = Mutex<(number: Int, text: String, monitor: RunMonitor?)?>(nil)
    let outcome = try supervise(
      interval: 60,
      progress: { _ in
        trial.withLock { trial in
          trial.map { [$0.text + ($0.monitor.map { "  \($0.progress.text)" } ?? "")] } ?? []
        }
      },
      requestStop: sweep.requestStop,
      // A trial that is being evaluated has saved its training. This process does not know the trials of others.
      isSafe: {
        if !isSole { return false }
        return trial.withLock { $0?.monitor == nil }
      }
    ) {
      try sweep.run { event in
        switch event {
        case .running(let variant, let seed, let number, let total, let monitor):
          let text = "[\(number)/\(total)] \(variant), seed \(seed)"
          trial.withLock { $0 = (number, text + (monitor == nil ? ": evaluating" : ""), monitor) }
        case .done(let result, let number, let total):
          // The trials of other ranks are done here, too.
          trial.withLock { if $0?.number == number { $0 = nil } }
          console.line("[\(number)/\(total)] \(result.text)")
        case .selected(let kept, let dropped):
          if !kept.isEmpty { console.line("continuing: \(kept.joined(separator: "; "))") }
          if !dropped.isEmpty { console.line("dropped: \(dropped.joined(separator: "; "))") }
        }
      }
    }
    let report = sweep.report
    if outcome == .interrupted {
      console.line(
        "interrupted after \(NumberText.grouped(report.trialsDone)) of "
          + "\(NumberText.count(report.trialsTotal, "trial")); resume with: learn2048 sweep --resume \(shellWord(path))"
      )
    } else {
      try output.show(report, text: report.table)
      console.line(
        "results: \(sweep.directory.csvPath); plot them with: scripts/plots/curves --sweep \(path)")
    }
    return outcome
  }
}

extension TrialResult {
  fileprivate var text: String {
    let outcome = score.map { "\(NumberText.grouped($0.mean)) \($0.ci95.text)" } ?? "diverged"
    return """
      \(variant), seed \(seed): \(outcome) \
      after \(NumberText.count(episodes, "episode")), \(NumberText.rate(Double(moves))) moves, \
      \(NumberText.duration(seconds))
      """
  }
}

extension SweepReport {
  fileprivate var table: String {
    let baseline = rows.first?.variant ?? ""
    // One table, the later budgets and the better scores first.
    let ranked = rows.sorted { a, b in
      a.rung != b.rung ? a.rung > b.rung : (a.mean ?? -.infinity) > (b.mean ?? -.infinity)
    }
    var table = Row.table(ranked)
    let hasRungs = Set(rows.map(\.rung)).count > 1
    if hasRungs { table[0].insert("budget", at: 1) }
    table[0].insert("verdict", at: table[0].count - 1)
    for (place, row) in ranked.enumerated() {
      let budget = "\(NumberText.grouped(row.budget)) \(row.budgetUnit)"
      if hasRungs { table[place + 1].insert(budget, at: 1) }
      let compared = rows.filter { $0.rung == row.rung && $0.difference != nil }.count
      let verdict =
        if row.variant == baseline {
          "baseline"
        } else if let difference = row.difference, let interval = row.differenceCi95 {
          Verdict(difference, interval, comparisons: compared, samples: row.seeds.count)
            .text("seed")
        } else {
          "open"
        }
      table[place + 1].insert(verdict, at: table[place + 1].count - 1)
    }
    let note = """
      mean scores of the plan's evaluation, the best first; 95% intervals: Student's, over the means of the seeds; \
      differences to \(baseline): Welch's; verdict: whether a variant is better than \(baseline), wrong with a \
      probability of at most 5% for all at a budget together
      """
    return
      ([alignedTable(table).joined(separator: "\n")]
      + [unequalWork, wrapped(note)].compactMap(\.self))
      .joined(separator: "\n\n")
  }

  /// What to say if equal seconds were not equal work.
  private var unequalWork: String? {
    let moves = rows.filter { $0.isLast && $0.budgetUnit == "seconds" }.map(\.moves)
    guard let least = moves.min(), let most = moves.max(), most > 1.5 * least else { return nil }
    return wrapped(
      "In equal seconds, variants made \(NumberText.rate(least)) to \(NumberText.rate(most)) moves. If the machine was "
        + "busy, these scores are not comparable: limit the budget by moves.")
  }
}
