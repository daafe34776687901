import Console
import Synchronization

/// The progress of games: their number, and the time left.
final class GamesMeter: Sendable {
  private let total: Int
  private let began = ContinuousClock.now
  private let lastLine = Mutex(ContinuousClock.now)

  /// - Parameter total: the number of games to play.
  init(total: Int) {
    self.total = total
  }

  /// Redraws the progress line on a terminal; otherwise prints a line occasionally.
  ///
  /// - Parameters:
  ///   - done: the number of finished games.
  ///   - moves: the number of moves of finished and current games; 0 if unknown.
  func show(_ done: Int, moves: Int = 0, on console: StandardError) {
    let elapsed = began.duration(to: .now)
    let text = GamesMeter.text(
      done: done, of: total, moves: moves, seconds: elapsed / .seconds(1))
    if console.isTerminal {
      console.showProgress(text)
    } else {
      lastLine.withLock { last in
        guard last.duration(to: .now) >= GamesMeter.interval(after: elapsed) else { return }
        last = .now
        console.line(text)
      }
    }
  }

  /// Returns the time between two lines, which grows with the elapsed time.
  private static func interval(after elapsed: Duration) -> Duration {
    max(.seconds(10), elapsed / 30)
  }

  /// - Parameter seconds: the elapsed time.
  private static func text(done: Int, of total: Int, moves: Int, seconds: Double) -> String {
    var text = "\(NumberText.grouped(done))/\(NumberText.grouped(total)) games"
    if moves > 0 { text += "  \(NumberText.grouped(moves)) moves" }
    if done > 0 {
      text += "  \(NumberText.duration(seconds / Double(done) * Double(total - done))) left"
    }
    return text
  }
}
