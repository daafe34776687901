import Basics
import Console
import Synchronization

/// The progress of games: their number, and the time left.
final class GamesMeter: Sendable {
  private let total: Int
  /// The number of games of an earlier run, which tell nothing about the time left.
  private let earlier: Int
  private let began = ContinuousClock.now
  private let lastLine = Mutex(ContinuousClock.now)

  init(total: Int, earlier: Int = 0) {
    (self.total, self.earlier) = (total, earlier)
  }

  /// Redraws the progress line on a terminal; otherwise prints a line occasionally.
  ///
  /// - Parameter moves: the number of moves of finished and current games; 0 if unknown.
  func show(_ done: Int, moves: Int = 0, on console: StandardError) {
    let elapsed = began.duration(to: .now)
    var text = "\(NumberText.grouped(done))/\(NumberText.grouped(total)) games"
    if moves > 0 { text += "  \(NumberText.grouped(moves)) moves" }
    if done > earlier {
      let left = elapsed.seconds / Double(done - earlier) * Double(total - done)
      text += "  \(NumberText.duration(left)) left"
    }
    if console.isTerminal { return console.showProgress([text]) }
    lastLine.withLock { last in
      // The time between two lines grows with the elapsed time.
      guard last.duration(to: .now) >= max(.seconds(10), elapsed / 30) else { return }
      last = .now
      console.line(text)
    }
  }
}
