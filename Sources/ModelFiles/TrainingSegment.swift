/// A period of training with one program and seed.
public struct TrainingSegment: Codable, Hashable, Sendable {
  /// Episodes trained in this segment.
  public var episodes: Int
  /// Moves made in this segment.
  public var moves: Int
  public var seed: UInt64
  /// The duration in seconds.
  public var wallSeconds: Double
  /// The version of the program.
  public var version: String

  public init(episodes: Int, moves: Int, seed: UInt64, wallSeconds: Double, version: String) {
    self.episodes = episodes
    self.moves = moves
    self.seed = seed
    self.wallSeconds = wallSeconds
    self.version = version
  }
}

extension TrainingSegment {
  /// Whether this can be an earlier state of `other`.
  func isBeginning(of other: TrainingSegment) -> Bool {
    seed == other.seed && version == other.version && episodes <= other.episodes
      && moves <= other.moves && wallSeconds <= other.wallSeconds
  }
}
