import Console

/// Long work that shows its progress and stops on a signal.
enum SupervisedWork {
  /// Runs `work` on the calling thread.
  ///
  /// - Parameters:
  ///   - interval: the time between two progress lines in seconds, unless standard error is a terminal.
  ///   - progress: returns the progress line, or nil for none yet; called on another thread.
  ///   - requestStop: makes `work` save its state and return; called on another thread at every signal.
  ///   - isSafe: returns whether the state is saved, so that a second signal may end the program.
  /// - Returns: the result of `work`, and the first signal that arrived.
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
        console.line(
          "learn2048: stopping after the current games; press Ctrl-C again to stop at once")
      } else if signalReceived.record(number) {
        console.line("learn2048: stopping; saving the state")
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
