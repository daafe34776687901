import Console

/// Long work that shows its progress, and that a signal asks to stop.
enum SupervisedWork {
  /// Carries `work` out on the calling thread.
  ///
  /// - Parameters:
  ///   - interval: seconds between two lines of progress where standard error is no terminal.
  ///   - progress: the line of progress, nil for none yet; called on another thread.
  ///   - requestStop: called at every signal, on another thread; has `work` save its state and return.
  ///   - isSafe: whether all is saved that would be missed, so that a second signal may end the program.
  /// - Returns: what `work` returned, and the first signal that came.
  static func run<Outcome>(
    interval: Double, progress: @escaping @Sendable () -> String?,
    requestStop: @escaping @Sendable () -> Void,
    isSafe: @escaping @Sendable () -> Bool = { false }, _ work: () throws -> Outcome
  ) rethrows -> (outcome: Outcome, signal: Int32?) {
    let console = StandardError.shared
    let signalReceived = ReceivedSignal()
    let watcher = SignalWatcher { number in
      if isSafe() {
        signalReceived.recordOrExit(number)
        console.line("learn2048: stopping after the games under way; once more stops at once")
      } else if signalReceived.record(number) {
        console.line("learn2048: stopping: the state is being saved")
      }
      requestStop()
    }
    let timer = ProgressTimer(every: console.isTerminal ? 0.2 : interval) {
      guard let text = progress() else { return }
      if console.isTerminal { console.showProgress(text) } else { console.line(text) }
    }
    defer {
      timer.stop()
      withExtendedLifetime(watcher) {}
    }
    let outcome = try work()
    timer.stop()
    console.endProgress()
    return (outcome, signalReceived.number)
  }
}
