import Configuration

/// What synchronous learning keeps between two rounds, besides weights.
package struct RoundState: Codable, Equatable, Sendable {
  /// Every lane, in order.
  package var lanes: [LaneState]
  /// The episodes that have ended, but after the last one that was due: they count from here on.
  package var uncounted: [EpisodeResult]

  /// Whether a run with this configuration can be in this state.
  package func fits(_ configuration: TrainingConfiguration) -> Bool {
    lanes.count == configuration.lanes && lanes.allSatisfy { $0.fits(configuration) }
      && uncounted.allSatisfy(\.isValid)
  }
}
