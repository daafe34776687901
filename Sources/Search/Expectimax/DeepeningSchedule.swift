/// The passes of a search with a budget, each deeper than the one before.
///
/// The depth grows ply by ply. From 3 plies on each depth has two passes: in the first, every 4
/// that spawns costs an extra ply; the second searches in full. A full ply takes far longer than
/// the one before, so most of a budget would go into a pass that is not finished. The first pass
/// takes only a part of that time, and the second finds its last layers in the table.
///
/// Passes do not grow by probability. The probability of a spawn falls with the number of empty
/// cells, so moves that keep the board empty would be searched less deeply than the moves they are
/// compared with.
@usableFromInline
struct DeepeningSchedule: Sequence, IteratorProtocol {
  /// The least depth, in plies, of a pass that delays fours.
  static let firstDelay = 3

  private let deepest: Int
  private let threshold: Double
  private var plies = 0
  private var delaysFours = false

  @usableFromInline
  init(_ settings: SearchSettings, deepest: Int) {
    self.deepest = deepest
    threshold = settings.probability
  }

  @usableFromInline
  mutating func next() -> SearchPass? {
    if delaysFours {
      delaysFours = false
    } else {
      if plies == deepest { return nil }
      plies += 1
      delaysFours = plies >= DeepeningSchedule.firstDelay
    }
    return SearchPass(plies: plies, threshold: threshold, delaysFours: delaysFours)
  }
}
