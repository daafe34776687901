import Basics
import Console
import Synchronization

/// The progress of games: their number, and the time left.
final class GamesMeter: Sendable {
  private let total: Int
  /// The number of games that were played earlier.
  private let earlier: Int
  private let began = ContinuousClock.now
  private let lastLine = Mutex(ContinuousClock.now)

  init(total: Int, earlier: Int = 0) {
    (self.total, self.earlier) = (total, earlier)
  }

  /// Redraws the progress line on a terminal; otherwise prints a line occasionally.
  ///
  /// - Parameters:
  ///   - done: the number of finished games, including earlier ones.
  ///   - played: the number of games that were played since the beginning, from which the time left follows; nil for
  ///     all of them.
  ///   - moves: the number of moves of finished and current games; 0 if unknown.
  func show(_ done: Int, played: Int? = nil, moves: Int = 0, on console: StandardError) {
    let played = played ?? done
    let elapsed = began.duration(to: .now)
    var text = "\(NumberText.grouped(done))/\(NumberText.count(total, "game"))"
    if moves > 0 { text += "  \(NumberText.count(moves, "move"))" }
    if played > 0 {
      let left = elapsed.seconds / Double(played) * Double(total - earlier - played)
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
