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
