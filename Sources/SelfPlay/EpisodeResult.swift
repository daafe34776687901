import Basics
import Configuration
import NTupleNetwork

/// The outcome of one episode.
public struct EpisodeResult: Codable, Equatable, Sendable {
  /// The score in points.
  public var score: Int
  /// The number of moves.
  public var moves: Int
  /// The exponent of the largest tile at the end.
  public var largestExponent: Int
  /// Whether the episode was a complete game, from the start of the game to its end.
  public var isWholeGame = true

  /// Whether an episode can have this result.
  var isValid: Bool {
    InputLimit.countOfEpisode.allows(score) && InputLimit.countOfEpisode.allows(moves)
      && (0..<32).contains(largestExponent)
  }
}

/// The settings of an episode that depend on the schedules of the run.
struct EpisodePlan: Sendable {
  /// The update rule.
  var rule: any UpdateRule
  /// The start rule.
  var start: StartRule
}
