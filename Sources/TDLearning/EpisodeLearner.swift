import NTupleNetwork

/// A learner, which receives the moves of a player's episodes.
public protocol EpisodeLearner: ~Copyable {
  /// Adds the next afterstate of the episode.
  mutating func observe(_ move: GreedyMove)

  /// Ends the episode. The value of the last afterstate moves towards 0.
  mutating func finishEpisode()
}
