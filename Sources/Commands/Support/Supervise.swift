import Basics
import Dispatch

/// Runs long work on the calling thread, shows its progress, and stops it on a signal.
///
/// - Parameters:
///   - interval: the time between two progress lines in seconds, unless they are redrawn in place.
///   - isPlain: whether progress is not redrawn in place even if standard error is a terminal.
///   - progress: returns the lines about the progress for a terminal of some size, or a plain line for nil; empty
///     if there are none yet. Called on another thread.
///   - requestStop: makes `work` save its state and return; called on another thread at every signal.
///   - requestSave: makes `work` save its state and continue; called on another thread when a signal asks for it.
///   - isSafe: returns whether the state is saved, so that a second signal may end the program.
///   - unit: what `work` finishes before it returns, if the state is saved.
/// - Returns: the result of `work`. `SignalWatcher.received` is the first signal that arrived.
func supervise<Outcome>(
  interval: Double, isPlain: Bool = false,
  progress: @escaping @Sendable (TerminalSize?) -> [String],
  requestStop: @escaping @Sendable () -> Void,
  requestSave: @escaping @Sendable () -> Void = {},
  isSafe: @escaping @Sendable () -> Bool = { false }, finishing unit: String = "games",
  _ work: () throws -> Outcome
) rethrows -> Outcome {
  let console = StandardError.shared
  let watcher = SignalWatcher { isFirst in
    requestStop()
    if isSafe() {
      console.line(
        "stopping after the current \(unit); press Ctrl-C again to stop at once")
    } else if isFirst {
      console.line("stopping; saving the state")
    }
  } mayExit: {
    isSafe()
  } onSaveRequest: {
    requestSave()
  }
  let queue = DispatchQueue(label: "learn2048.progress")
  let timer = DispatchSource.makeTimerSource(queue: queue)
  let isRedrawn = console.isTerminal && !isPlain
  let seconds = isRedrawn ? 0.2 : interval
  timer.schedule(deadline: .now() + seconds, repeating: seconds)
  timer.setEventHandler {
    if isRedrawn {
      console.showProgress(progress(TerminalSize.current))
    } else if SignalWatcher.received == nil {
      // After a signal there is no progress to follow, and a message has said so.
      console.logProgress(progress(nil))
    }
  }
  timer.activate()
  defer {
    timer.cancel()
    // Waits for a line that is being shown, so that none follows the end of the work.
    queue.sync {}
    console.endProgress()
    withExtendedLifetime(watcher) {}
  }
  return try work()
}

/// Follows rank 0 of a job to its end, without progress. A signal asks all ranks to stop, and rank 0 tells the user.
///
/// - Parameter work: Follows rank 0, until it ends or a stop is requested.
/// - Throws: the errors of `work`; ``Failure`` if a signal stopped the work on any rank.
func followQuietly(_ ranks: any Communicator, _ work: (StopRequest) throws -> Void) throws {
  let stop = StopRequest()
  let watcher = SignalWatcher { _ in
    stop.request()
  } mayExit: {
    false
  }
  defer { withExtendedLifetime(watcher) {} }
  try work(stop)
  if let signal = Job.end(ranks) { throw Failure(signal: signal) }
}

/// Throws if the system cannot start the threads that watch signals and show progress, without which a
/// program that is supervised would wait forever.
func requireThreads() throws {
  // Signals, their events, progress, the clock, both streams, and the log.
  let needed = 7
  let started = WorkerThreads.startable(needed)
  guard started < needed else { return SignalWatcher.expect() }
  throw Failure(
    .configuration,
    "only \(started) of the \(needed) threads that this command needs can be started. Raise the limit on "
      + "processes (ulimit -u), or end other programs.")
}
