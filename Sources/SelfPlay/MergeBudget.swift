/// The time that the ranks of a job may spend merging their copies of the weights.
///
/// Merging may take a share of all the time since the start. The first merges come early and exceed it, and the
/// intervals grow until this is made up for.
struct MergeBudget {
  /// The least time in seconds between two merges.
  static let leastSeconds = 1.0
  /// How many times as long as the last interval the next one may be.
  static let mostGrowth = 4.0

  /// The share of the time that merging may take, above 0 and below 1.
  let share: Double
  /// The time until the next merge, in seconds.
  private(set) var secondsToMerge = MergeBudget.leastSeconds
  /// The seconds of play that the merges so far still require; negative if there have been more.
  private var owed = 0.0

  /// Creates a budget of which nothing has been spent.
  init(share: Double) { self.share = share }

  /// Counts the time that the ranks have played since the last merge, and the time of the merge, in seconds.
  mutating func count(playing: Double, merging: Double) {
    // A merge that had to wait counts no longer than the play before it, so that it does not put off the
    // next one for long.
    let price = min(merging, playing) * (1 - share) / share
    owed += price - playing
    // The next merge is expected to take as long as this one.
    secondsToMerge = min(
      max(max(owed, 0) + price, MergeBudget.leastSeconds), MergeBudget.mostGrowth * secondsToMerge)
  }
}
