import Console
import Synchronization

/// Shows how many games have been played, and how long the rest will take.
final class GamesMeter: Sendable {
  private let total: Int
  private let began = ContinuousClock.now
  private let lastLine = Mutex(ContinuousClock.now)

  /// - Parameter total: the games to play.
  init(total: Int) {
    self.total = total
  }

  /// Redraws the line of progress on a terminal; elsewhere, writes a line now and then.
  ///
  /// - Parameters:
  ///   - done: the games that have been played.
  ///   - moves: their moves and those of games under way, where they are known.
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

  /// The time between two lines, after so long: less often the longer it takes.
  private static func interval(after elapsed: Duration) -> Duration {
    max(.seconds(10), elapsed / 30)
  }

  /// - Parameter seconds: since the beginning.
  private static func text(done: Int, of total: Int, moves: Int, seconds: Double) -> String {
    var text = "\(NumberText.grouped(done))/\(NumberText.grouped(total)) games"
    if moves > 0 { text += "  \(NumberText.grouped(moves)) moves" }
    if done > 0 {
      text += "  \(NumberText.duration(seconds / Double(done) * Double(total - done))) left"
    }
    return text
  }
}
