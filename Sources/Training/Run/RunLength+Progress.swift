import Configuration
import Foundation
import SelfPlay

extension RunLength {
  /// An estimate of the seconds to the end of a run.
  ///
  /// Games grow longer as a player learns. Where episodes are limited, their moves `m` are taken to grow
  /// with the logarithm of their number `e`, `m(e) = a + b ln e`; the first `e` then have
  /// `e (m(e) − b)` moves, so that `b` is what the recent ones have more than the mean of all.
  ///
  /// - Parameters:
  ///   - episodes: those that are done, of this many moves, after this many seconds of training.
  ///   - recent: some of the last, which took `recentSeconds`.
  package func secondsLeft(
    episodes: Int, moves: Int, seconds: Double, recent: EpisodeStatistics, in recentSeconds: Double
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

  /// The key of a limit that a saved run has reached; nil if there is none.
  package func reachedLimit(_ state: TrainingState) -> String? {
    if episodes > 0, state.episodes >= episodes { return "episodes" }
    if moves > 0, state.moves >= moves { return "limit.moves" }
    return seconds > 0 && state.secondsOfTraining >= seconds ? "limit.seconds" : nil
  }
}
