/// What synchronous learning keeps between two rounds, besides weights.
struct RoundState: Codable, Equatable, Sendable {
  /// Every lane, in order.
  var lanes: [LaneState]
  /// The episodes that have ended, but after the last one that was due: they count from here on.
  var uncounted: [EpisodeResult]

  /// Whether a run with this configuration can be in this state.
  func fits(_ configuration: TrainingConfiguration) -> Bool {
    lanes.count == configuration.lanes && lanes.allSatisfy { $0.fits(configuration) }
      && uncounted.allSatisfy(\.isValid)
  }
}
