import Basics
import Foundation
import Synchronization

/// The trials of a sweep, which the ranks of a job carry out at the same time.
///
/// Rank 0 gives every free rank a trial, with the run that it continues if there is one, and receives its result
/// and its run. Only rank 0 keeps them: another rank trains in a temporary directory. From time to time, all ranks
/// meet, while their trials go on in a separate thread.
///
/// Thread safety: one thread uses it.
final class JobTrials {
  /// What rank 0 tells all ranks when they meet.
  private struct Orders: Codable {
    /// The trials that begin, by rank.
    var trials: [Int: Trial] = [:]
    /// Whether the trials in progress are saved and end.
    var stops = false
    /// Whether the sweep is over.
    var isOver = false
  }

  /// What a rank tells the others when they meet.
  private struct Status: Codable {
    var end: TrialEnd?
    /// Whether a signal asks for the end of the sweep.
    var stops: Bool
  }

  /// The time between two meetings, in seconds.
  private static let interval = 0.2

  private let ranks: any Communicator
  private let runner: TrialRunner
  private let thread: TrialThread
  /// The trials in progress, by rank.
  private var running: [Int: Trial] = [:]

  /// Begins a sweep as rank 0, or follows rank 0.
  private init(_ ranks: any Communicator, _ runner: TrialRunner) {
    self.ranks = ranks
    self.runner = runner
    thread = TrialThread(runner, rank: ranks.rank)
  }

  // MARK: Rank 0

  /// Tells the other ranks about the plan.
  static func lead(_ ranks: any Communicator, _ runner: TrialRunner) throws -> JobTrials {
    _ = try ranks.broadcast(runner.plan.json.text)
    return JobTrials(ranks, runner)
  }

  /// Carries out trials.
  ///
  /// - Parameters:
  ///   - onEvent: Called on this thread for the trials of rank 0.
  ///   - onResult: Called on this thread with every result, once the run is in place.
  /// - Returns: Whether all were carried out; otherwise they were stopped and are saved.
  /// - Throws: ``JobFailure`` if a trial has failed; the others are saved.
  func carryOut(
    _ trials: [Trial], onEvent: (Sweep.Event) -> Void,
    onResult: (Trial, TrialResult) throws -> Void
  ) throws -> Bool {
    var waiting = trials[...]
    var isWhole = true
    var failure: LocatedError?
    while true {
      var orders = Orders()
      orders.stops = failure != nil || runner.stop.isRequested
      if orders.stops {
        isWhole = isWhole && waiting.isEmpty
        waiting = []
      }
      for rank in 0..<ranks.size where running[rank] == nil {
        orders.trials[rank] = waiting.popFirst()
      }
      if orders.trials.isEmpty, running.isEmpty { break }
      _ = try ranks.broadcast(orders)
      let states = try meet(orders)
      // Before the results: a trial may have begun its evaluation and ended since the last meeting.
      thread.takeEvents().forEach(onEvent)
      for (rank, status) in states.enumerated() {
        if status.stops { runner.stop.request() }
        guard let end = status.end, let trial = running.removeValue(forKey: rank) else { continue }
        if let error = end.failure { failure = failure ?? error }
        if let result = end.result { try onResult(trial, result) }
        isWhole = isWhole && end.result != nil
      }
    }
    if let failure {
      try end()
      throw JobFailure(error: failure)
    }
    return isWhole
  }

  /// Tells the other ranks that the sweep is over.
  func end() throws {
    var orders = Orders()
    orders.isOver = true
    _ = try ranks.broadcast(orders)
  }

  // MARK: All ranks

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
    let plan = try SweepPlanReader.plan(
      Data((try ranks.broadcast(nil as String?)).utf8), name: "the plan of rank 0",
      readFile: { _ in nil })
    let runs = try TemporaryRuns(in: parent)
    defer { withExtendedLifetime(runs) {} }
    let directory = SweepDirectory(path: runs.path)
    let job = JobTrials(
      ranks, TrialRunner(plan: plan, directory: directory, threads: threads, stop: stop))
    while true {
      let orders: Orders = try ranks.broadcast(nil)
      if orders.isOver { return }
      _ = try job.meet(orders)
    }
  }

  /// Begins the trials that rank 0 has ordered, and exchanges the states of all ranks a little later.
  private func meet(_ orders: Orders) throws -> [Status] {
    if orders.stops { runner.stop.request() }
    for (rank, trial) in orders.trials.sorted(by: { $0.key < $1.key }) {
      running[rank] = trial
      try move(runner.run(of: trial).path, from: 0, to: rank)
      if rank == ranks.rank { thread.begin(trial) }
    }
    Thread.sleep(forTimeInterval: JobTrials.interval)
    let end = thread.takeEnd()
    let states = try ranks.gather(value: Status(end: end, stops: runner.stop.isRequested))
    for (rank, status) in states.enumerated() where status.end != nil {
      guard let trial = running[rank] else { continue }
      try move(runner.run(of: trial).path, from: rank, to: 0)
      if !ranks.isLeader { running[rank] = nil }
    }
    return states
  }

  /// Moves a run to another rank, if there is one.
  private func move(_ path: String, from source: Int, to target: Int) throws {
    if source == target { return }
    if ranks.rank == source {
      try ranks.sendFiles(in: path, to: target)
      if !ranks.isLeader, FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    if ranks.rank == target { try ranks.receiveFiles(in: path, from: source) }
  }
}

/// How a trial ended on a rank: with a result, a failure, or neither if it was stopped.
private struct TrialEnd: Codable, Sendable {
  var result: TrialResult?
  var failure: LocatedError?
}

/// The thread on which a rank carries out one trial at a time.
private final class TrialThread: Sendable {
  private let runner: TrialRunner
  private let rank: Int
  private let state = Mutex<(events: [Sweep.Event], end: TrialEnd?)>(([], nil))

  init(_ runner: TrialRunner, rank: Int) { (self.runner, self.rank) = (runner, rank) }

  /// Begins a trial. The one before has ended.
  func begin(_ trial: Trial) {
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
