import NTupleNetwork

/// Receives the moves of a player's episodes, and learns from them.
public protocol EpisodeLearner {
  /// Takes the next afterstate of the episode.
  mutating func observe(_ move: GreedyMove)

  /// Ends the episode: after the last afterstate there is nothing to gain.
  mutating func finishEpisode()
}
