import Basics
import Foundation
import Synchronization

/// The trials of a sweep, which the ranks of a job carry out at the same time.
///
/// Rank 0 gives every free rank a trial, with the run that it continues if there is one, and receives its result
/// and its run. Only rank 0 keeps them: another rank trains in a temporary directory, until rank 0 has stored its run.
///
/// Thread safety: one thread uses it.
final class JobTrials {
  private typealias Loop = RankLoop<Order, Status>

  /// What all ranks do next.
  private enum Order: Codable {
    /// Prepare for the trials of a plan.
    case start(plan: String)
    /// Begin these trials, by rank, with the runs that rank 0 has of them.
    case begin([Int: Trial])
    /// Wait a little, and report what has happened.
    case wait(stops: Bool)
    /// Give rank 0 the runs of these trials, which have ended, by rank.
    case handOver([Int: Trial])
  }

  /// What a rank replies.
  private struct Status: Codable {
    var end: TrialEnd?
    /// Whether a signal asks for the end of the sweep.
    var stops = false
    /// Why rank 0 has not stored the run of this rank.
    var failure: LocatedError?
  }

  private let ranks: any Communicator
  private let worker: TrialWorker
  private let loop: Loop

  /// Prepares all ranks, of which this one has rank 0.
  ///
  /// - Throws: ``JobFailure`` if one of them has no place for its runs.
  init(_ ranks: any Communicator, _ runner: TrialRunner) throws {
    self.ranks = ranks
    worker = TrialWorker(runner, ranks, runs: nil)
    loop = Loop(leading: ranks)
    _ = try loop.order(.start(plan: runner.plan.json.text)) { Status() }
  }

  /// Carries out trials.
  ///
  /// - Parameters:
  ///   - onEvent: Called on this thread for the trials of rank 0.
  ///   - onResult: Called on this thread with every result, once the run is in place.
  /// - Returns: Whether all were carried out; otherwise they were stopped and are saved.
  /// - Throws: ``JobFailure`` if a trial has failed, or cannot be stored; the others are saved.
  func carryOut(
    _ trials: [Trial], onEvent: (Sweep.Event) -> Void,
    onResult: (Trial, TrialResult) throws -> Void
  ) throws -> Bool {
    var waiting = trials[...]
    var running: [Int: Trial] = [:]
    var isWhole = true
    var failure: LocatedError?
    let stop = worker.runner.stop
    while true {
      let stops = failure != nil || stop.isRequested
      if stops {
        isWhole = isWhole && waiting.isEmpty
        waiting = []
      }
      var next: [Int: Trial] = [:]
      for rank in 0..<ranks.size where running[rank] == nil { next[rank] = waiting.popFirst() }
      running.merge(next) { $1 }
      if running.isEmpty { break }
      if !next.isEmpty { _ = try give(.begin(next)) }
      let states = try give(.wait(stops: stops))
      if states.contains(where: \.stops) { stop.request() }
      // Before the results: a trial may have begun its evaluation and ended since the last order.
      worker.takeEvents().forEach(onEvent)
      let ended = running.filter { states[$0.key].end != nil }
      if ended.isEmpty { continue }
      let stored = try give(.handOver(ended))
      for (rank, trial) in ended.sorted(by: { $0.key < $1.key }) {
        running[rank] = nil
        let end = states[rank].end!
        failure = failure ?? end.failure ?? stored[rank].failure
        guard stored[rank].failure == nil, let result = end.result else {
          isWhole = false
          continue
        }
        do {
          try onResult(trial, result)
        } catch {
          failure = failure ?? LocatedError(error, ofRank: 0)
        }
      }
    }
    guard let failure else { return isWhole }
    end()
    throw JobFailure(error: failure)
  }

  /// Tells the other ranks that the sweep is over.
  func end() { loop.end() }

  private func give(_ order: Order) throws -> [Status] {
    try loop.order(order) { try JobTrials.carryOut(order, worker) }
  }

  /// Carries out trials as a rank other than 0, until the sweep is over.
  ///
  /// - Parameters:
  ///   - threads: The number of threads of evaluations.
  ///   - stop: Stops the sweep.
  ///   - parent: The directory for the temporary directory of the runs.
  static func follow(
    _ ranks: any Communicator, threads: Int, stop: StopRequest,
    in parent: String = FileManager.default.temporaryDirectory.path
  ) throws {
    var worker: TrialWorker?
    try Loop.follow(ranks) { order in
      guard case .start(let text) = order else { return try carryOut(order, worker!) }
      let plan = try SweepPlanReader.plan(
        Data(text.utf8), name: "the plan of rank 0", readFile: { _ in nil })
      let runs = try TemporaryRuns(in: parent)
      let directory = SweepDirectory(path: runs.path)
      worker = TrialWorker(
        TrialRunner(plan: plan, directory: directory, threads: threads, stop: stop), ranks,
        runs: runs)
      return Status()
    }
  }

  /// Carries out an order on this rank. All ranks call it together.
  private static func carryOut(_ order: Order, _ worker: TrialWorker) throws -> Status {
    var status = Status()
    switch order {
    case .start: preconditionFailure("a sweep starts once")
    case .begin(let trials):
      for (rank, trial) in trials.sorted(by: { $0.key < $1.key }) { worker.begin(trial, on: rank) }
    case .wait(let stops):
      if stops { worker.runner.stop.request() }
      Thread.sleep(forTimeInterval: interval)
      status = Status(end: worker.takeEnd(), stops: worker.runner.stop.isRequested)
    case .handOver(let trials):
      for (rank, trial) in trials.sorted(by: { $0.key < $1.key }) {
        let failure = try worker.handOver(trial, of: rank)
        if rank == worker.ranks.rank { status.failure = failure }
      }
    }
    return status
  }

  /// The time between two orders while nothing happens, in seconds.
  private static let interval = 0.2
}

/// How a trial ended on a rank: with a result, a failure, or neither if it was stopped.
private struct TrialEnd: Codable, Sendable {
  var result: TrialResult?
  var failure: LocatedError?
}

/// The part of a rank in a sweep: one trial at a time, on a separate thread, and the transfer of its run from rank 0
/// and back.
private final class TrialWorker: Sendable {
  let runner: TrialRunner
  let ranks: any Communicator
  /// The directory of the runs; nil on rank 0, which keeps them.
  private let runs: TemporaryRuns?
  private let state = Mutex<(events: [Sweep.Event], end: TrialEnd?)>(([], nil))

  init(_ runner: TrialRunner, _ ranks: any Communicator, runs: TemporaryRuns?) {
    (self.runner, self.ranks, self.runs) = (runner, ranks, runs)
  }

  /// Begins a trial on a rank whose last one has ended. All ranks call it together.
  func begin(_ trial: Trial, on rank: Int) {
    var end: TrialEnd?
    do {
      try ranks.copyFiles(in: runner.run(of: trial).path, from: 0, to: rank)
    } catch {
      end = TrialEnd(failure: LocatedError(error, ofRank: rank))
    }
    guard rank == ranks.rank else { return }
    if let end { return state.withLock { $0.end = end } }
    let thread = Thread { [self] in
      var end = TrialEnd()
      do {
        end.result = try runner.carryOut(trial) { event in
          state.withLock { $0.events.append(event) }
        }
      } catch {
        end.failure = LocatedError(error, ofRank: rank)
      }
      state.withLock { $0.end = end }
    }
    thread.stackSize = WorkerThreads.stackSize
    thread.start()
  }

  /// Moves the run of a trial from a rank to rank 0. All ranks call it together.
  ///
  /// The rank removes its run only when rank 0 has stored it. Otherwise it keeps the run, and the error says where.
  ///
  /// - Returns: The error if rank 0 has not stored the run.
  func handOver(_ trial: Trial, of rank: Int) throws -> LocatedError? {
    let path = runner.run(of: trial).path
    do {
      try ranks.copyFiles(in: path, from: rank, to: 0)
    } catch let failure as JobFailure {
      guard let runs, rank == ranks.rank else { return failure.error }
      let error = failure.error
      let kept = path.replacing(runs.path, with: try runs.keep(), maxReplacements: 1)
      return LocatedError(
        error.kind, path: error.path, place: error.place, error.problem,
        remedy:
          "\(error.remedy); then move the run that \(nameOfRank(rank)) keeps in \(kept) to the runs "
          + "of the sweep, and resume it")
    }
    if rank == ranks.rank, runs != nil, FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
    return nil
  }

  /// Returns the events since the last call.
  func takeEvents() -> [Sweep.Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Returns how the trial has ended, once.
  func takeEnd() -> TrialEnd? {
    state.withLock { state in
      defer { state.end = nil }
      return state.end
    }
  }
}
