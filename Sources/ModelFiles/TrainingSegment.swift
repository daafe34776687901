import Basics

/// A part of the training with one program version and seed.
public struct TrainingSegment: Codable, Hashable, Sendable {
  /// The number of episodes trained in this segment.
  public var episodes: Int
  /// The number of moves made in this segment.
  public var moves: Int
  /// The seed of this segment.
  public var seed: UInt64
  /// The duration in seconds of wall-clock time.
  public var wallSeconds: Double
  /// The version of the program that trained.
  public var version: String

  /// Creates a segment.
  public init(episodes: Int, moves: Int, seed: UInt64, wallSeconds: Double, version: String) {
    self.episodes = episodes
    self.moves = moves
    self.seed = seed
    self.wallSeconds = wallSeconds
    self.version = version
  }
}

extension TrainingSegment {
  /// Returns whether this can be an earlier state of `other`.
  func isBeginning(of other: TrainingSegment) -> Bool {
    seed == other.seed && version == other.version && episodes <= other.episodes
      && moves <= other.moves && wallSeconds <= other.wallSeconds
  }
}

extension [TrainingSegment] {
  /// Whether training can have had these segments; their totals are then counts that files can hold.
  package var arePossible: Bool {
    var (episodes, moves, seconds) = (0, 0, 0.0)
    return allSatisfy { segment in
      guard InputLimit.count.allows(segment.episodes), InputLimit.count.allows(segment.moves),
        segment.wallSeconds >= 0
      else { return false }
      episodes += segment.episodes
      moves += segment.moves
      seconds += segment.wallSeconds
      return InputLimit.count.allows(episodes) && InputLimit.count.allows(moves)
        && seconds.isFinite
    }
  }
}
