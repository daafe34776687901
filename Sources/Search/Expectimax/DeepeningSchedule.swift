/// The passes of a search with a budget, one further than the other.
///
/// First 1 and 2 plies; then as many as are allowed, with chance nodes cut at a probability that falls
/// from pass to pass. A further ply takes far longer than the one before, so that most of a budget would go
/// into a pass that is not finished; a lower probability is a smaller step, and it looks further along
/// likely spawns than along unlikely ones.
@usableFromInline
struct DeepeningSchedule: Sequence, IteratorProtocol {
  /// The probability at which the third pass cuts, and what it is multiplied by from pass to pass.
  static let firstThreshold = 0.04
  static let thresholdFactor = 0.4

  private let deepest: Int
  private let leastThreshold: Double
  private var plies = 0
  private var isDone = false
  private var threshold = DeepeningSchedule.firstThreshold

  @usableFromInline
  init(_ settings: SearchSettings, deepest: Int) {
    self.deepest = deepest
    leastThreshold = settings.probability
  }

  @usableFromInline
  mutating func next() -> SearchPass? {
    if plies < Swift.min(2, deepest) {
      plies += 1
      return SearchPass(plies: plies, threshold: leastThreshold)
    }
    if isDone { return nil }
    let pass = SearchPass(plies: deepest, threshold: Swift.max(threshold, leastThreshold))
    threshold *= DeepeningSchedule.thresholdFactor
    // Below that, nothing of 8 plies is cut, and nothing of 16 that could matter.
    isDone = pass.threshold == leastThreshold || pass.threshold < 1e-15
    return pass
  }
}
