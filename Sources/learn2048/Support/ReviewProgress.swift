import Basics
import Console
import Synchronization

/// The progress of a review, on a terminal only.
final class ReviewProgress: Sendable {
  private let total: Int
  private let lastLine = Mutex(ContinuousClock.now)

  /// - Parameter total: The number of moves to review.
  init(total: Int) {
    self.total = total
  }

  /// Redraws the progress line, at most ten times per second.
  func show(_ moves: Int) {
    guard StandardError.shared.isTerminal else { return }
    lastLine.withLock { last in
      guard last.duration(to: .now) >= .milliseconds(100) else { return }
      last = .now
      StandardError.shared.showProgress([
        "\(NumberText.grouped(moves))/\(NumberText.grouped(total)) moves"
      ])
    }
  }
}
