/// The time that the ranks of a job may spend merging their copies of the weights.
///
/// Merging may take a share of all the time since the start. The first merges take the longest for what has been
/// learned between them, so the intervals grow fast until this is made up for.
struct MergeBudget {
  /// The least time in seconds between two merges.
  static let leastSeconds = 1.0
  /// How many times as long as the last interval the next one may be.
  static let mostGrowth = 4.0

  /// The share of the time that merging may take, above 0 and below 1.
  let share: Double
  /// The time until the next merge, in seconds.
  private(set) var secondsToMerge = MergeBudget.leastSeconds
  private var secondsMerging = 0.0
  private var secondsPlaying = 0.0

  /// Creates a budget of which nothing has been spent.
  init(share: Double) { self.share = share }

  /// Counts the time that the ranks have played since the last merge, and the time of the merge, in seconds.
  mutating func count(playing: Double, merging: Double) {
    // So a merge that had to wait does not put off the next one for long.
    let merging = min(merging, playing)
    secondsMerging += merging
    secondsPlaying += playing
    // The next merge is expected to take as long as this one.
    let playPerMerging = (1 - share) / share
    let unpaid = (secondsMerging + merging) * playPerMerging - secondsPlaying
    secondsToMerge = min(
      max(unpaid, merging * playPerMerging, MergeBudget.leastSeconds),
      MergeBudget.mostGrowth * secondsToMerge)
  }
}
