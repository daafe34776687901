/// The passes of a search with a budget, one further than the other.
///
/// Ply by ply; and from 3 plies on each twice, first with every 4 that spawns costing a ply, then in
/// full. A full ply takes far longer than the one before, so that most of a budget would go into a pass
/// that is not finished; the first of the two takes a part of it, and the other finds its last layers in
/// the table.
///
/// Spawns are not left out by their probability: it falls with the number of empty cells, so moves that
/// keep the board empty would be searched less far than others, and be compared with them all the same.
@usableFromInline
struct DeepeningSchedule: Sequence, IteratorProtocol {
  /// The plies from which on fours come later.
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
