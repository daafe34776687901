import Console
import Foundation
import Sweeps
import Synchronization
import Training

/// The console of a sweep, which shows its progress and turns signals into a saved state.
struct SweepConsole {
  let sweep: Sweep
  let printsJSON: Bool

  /// Runs the sweep and prints its table.
  ///
  /// - Throws: `Failure` with the signal's exit code once the state is saved; the sweep's own errors.
  func run() throws {
    let console = StandardError.shared
    let current = CurrentTrial()
    announce(on: console)
    let (outcome, signal) = try SupervisedWork.run(
      interval: 60, progress: { current.text }, requestStop: sweep.requestStop,
      isSafe: { current.isEvaluating }
    ) {
      try sweep.run { show($0, current, on: console) }
    }

    let report = sweep.report
    if outcome == .interrupted {
      console.line(
        "interrupted after \(report.trialsDone) of \(report.trialsTotal) trials; resume with: learn2048 "
          + "sweep --resume \(sweep.directory.path)")
      if let signal { throw Failure(signal: signal) }
    }
    if printsJSON {
      try StandardOutput.json(report)
    } else {
      StandardOutput.line(SweepTable.text(report))
    }
    console.line(
      "results: \(sweep.directory.csvPath); plot them with: scripts/plot-curves --sweep "
        + sweep.directory.path)
  }

  private func show(_ event: Sweep.Event, _ current: CurrentTrial, on console: StandardError) {
    switch event {
    case .training(let variant, let seed, let number, let total, let monitor):
      current.begin("[\(number)/\(total)] \(variant), seed \(seed)", monitor)
    case .evaluating(let variant, let seed, let number, let total):
      current.begin("[\(number)/\(total)] \(variant), seed \(seed): evaluating", nil)
    case .done(let result, let number, let total):
      console.line("[\(number)/\(total)] \(SweepTable.line(result))")
    case .selected(let kept, let dropped):
      console.line("continuing: \(kept.joined(separator: "; "))")
      if !dropped.isEmpty { console.line("dropped: \(dropped.joined(separator: "; "))") }
    }
  }

  private func announce(on console: StandardError) {
    let (plan, report) = (sweep.plan, sweep.report)
    let done = report.trialsDone > 0 ? ", \(report.trialsDone) done" : ""
    console.line(
      """
      sweep in \(sweep.directory.path): \(plan.variants.count) variants, \(plan.seeds.count) seeds, \
      \(ProgressText.length(plan.budget.length)) each: \(report.trialsTotal) trials\(done)
      """)
  }
}

/// The trial that the progress line shows.
private final class CurrentTrial: Sendable {
  private let state = Mutex<(name: String, monitor: RunMonitor?)?>(nil)

  func begin(_ name: String, _ monitor: RunMonitor?) {
    state.withLock { $0 = (name, monitor) }
  }

  /// Whether the trial is being evaluated, so that its training is saved.
  var isEvaluating: Bool { state.withLock { $0.map { $0.monitor == nil } ?? false } }

  /// The progress line; nil before the first trial.
  var text: String? {
    state.withLock { trial in
      trial.map { [$0.name, $0.monitor.map { ProgressText.of($0.progress) }] }
        .map { $0.compactMap(\.self).joined(separator: "  ") }
    }
  }
}
