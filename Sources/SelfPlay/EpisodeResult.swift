import Configuration
import NTupleNetwork

/// The outcome of one episode.
public struct EpisodeResult: Codable, Equatable, Sendable {
  /// Points.
  public var score: Int
  /// The number of moves.
  public var moves: Int
  /// The exponent of the largest tile at the end.
  public var largestExponent: Int
  /// Whether it was a whole game, from the start position.
  public var isWholeGame = true

  /// Whether an episode can end like this.
  var isValid: Bool {
    (0..<1 << 40).contains(score) && (0..<1 << 40).contains(moves)
      && (0..<32).contains(largestExponent)
  }
}

/// The settings of an episode that follow the schedules of the run.
struct EpisodePlan: Sendable {
  var rule: any UpdateRule
  var start: StartRule
}
