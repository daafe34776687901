import Configuration
import Foundation
import SelfPlay

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
