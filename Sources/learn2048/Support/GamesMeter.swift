import Console
import Synchronization

/// Shows how many games have been played, and how long the rest will take.
final class GamesMeter: Sendable {
  private static let interval = Duration.seconds(10)

  private let total: Int
  private let began = ContinuousClock.now
  private let lastLine = Mutex(ContinuousClock.now)

  /// - Parameter total: the games to play.
  init(total: Int) {
    self.total = total
  }

  /// Redraws the line of progress on a terminal; elsewhere, writes a line now and then.
  func show(_ done: Int, on console: StandardError) {
    let elapsed = began.duration(to: .now) / .seconds(1)
    let left = elapsed / Double(max(1, done)) * Double(total - done)
    let text =
      "\(NumberText.grouped(done))/\(NumberText.grouped(total)) games"
      + (done == 0 ? "" : "  \(NumberText.duration(left)) left")
    if console.isTerminal {
      console.showProgress(text)
    } else {
      lastLine.withLock { last in
        guard last.duration(to: .now) >= GamesMeter.interval else { return }
        last = .now
        console.line(text)
      }
    }
  }
}
