import Foundation

/// How long a run is, in episodes, moves and seconds of training; where several of them are limited, the
/// first that is reached ends it.
///
/// What follows the share of the run, as schedules do, follows that limit too: a run that is to
/// take ten minutes is half done after five.
public struct RunLength: Equatable, Sendable {
  /// Episodes; 0 for no limit.
  public var episodes: Int
  /// Moves of finished episodes; 0 for no limit.
  public var moves: Int
  /// Seconds spent training, without evaluating and saving; 0 for no limit.
  public var seconds: Double

  public init(episodes: Int = 0, moves: Int = 0, seconds: Double = 0) {
    self.episodes = episodes
    self.moves = moves
    self.seconds = seconds
  }

  /// The share of the run that this much training is: the largest of its shares of the limits, from 1 on
  /// where one is reached, and 0 without limits.
  public func share(episodes: Int, moves: Int, seconds: Double) -> Double {
    max(
      self.episodes > 0 ? Double(episodes) / Double(self.episodes) : 0,
      self.moves > 0 ? Double(moves) / Double(self.moves) : 0,
      self.seconds > 0 ? seconds / self.seconds : 0)
  }

  /// The length that ends where this one or `other` does, whichever is first.
  package func cut(at other: RunLength) -> RunLength {
    func first<Value: Numeric & Comparable>(_ a: Value, _ b: Value) -> Value {
      a > 0 && b > 0 ? min(a, b) : max(a, b)
    }
    return RunLength(
      episodes: first(episodes, other.episodes), moves: first(moves, other.moves),
      seconds: first(seconds, other.seconds))
  }
}

extension RunLength {
  /// Returns an estimate of the seconds to the end of a run.
  ///
  /// Games grow longer as a player learns. If episodes are limited, their moves `m` are assumed to
  /// grow with the logarithm of their number `e`, `m(e) = a + b ln e`. The first `e` episodes then
  /// have `e (m(e) − b)` moves in all, so `b` is the moves of a recent episode minus the mean.
  ///
  /// - Parameters:
  ///   - episodes: the episodes finished, with all their `moves`, in `seconds` of training.
  ///   - recent: the last of them with their moves, which took `recentSeconds`.
  func secondsLeft(
    episodes: Int, moves: Int, seconds: Double, recent: (episodes: Int, moves: Int),
    in recentSeconds: Double
  ) -> Double {
    let speed = Double(max(1, recent.moves)) / recentSeconds
    var left = Double.infinity
    if self.seconds > 0 { left = self.seconds - seconds }
    if self.moves > 0 { left = min(left, Double(self.moves - moves) / speed) }
    if self.episodes > 0, episodes > 0, recent.episodes > 0 {
      let (done, total) = (Double(episodes), Double(self.episodes))
      let now = Double(recent.moves) / Double(recent.episodes)
      let growth = max(0, now - Double(moves) / done)
      let movesInAll = total * (now + growth * (log(total / done) - 1))
      left = min(left, (movesInAll - done * (now - growth)) / speed)
    }
    return max(0, left)
  }

  /// Returns the key of a limit that a saved run has reached; nil if there is none.
  func reachedLimit(_ state: RunState) -> String? {
    if episodes > 0, state.episodes >= episodes { return "episodes" }
    if moves > 0, state.moves >= moves { return "limit.moves" }
    return seconds > 0 && state.secondsOfTraining >= seconds ? "limit.seconds" : nil
  }
}
