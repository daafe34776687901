/// One search from the root: its depth, and its cut.
@usableFromInline
struct SearchPass: Sendable {
  @usableFromInline var plies: Int
  @usableFromInline var threshold: Double
  /// Whether every 4 that spawns costs a ply, except in the last one.
  @usableFromInline var delaysFours: Bool

  @inlinable
  init(plies: Int, threshold: Double, delaysFours: Bool = false) {
    self.plies = plies
    self.threshold = threshold
    self.delaysFours = delaysFours
  }

  /// Returns the pass after this one in a search with a budget; nil after the deepest.
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
  func next(upTo deepest: Int) -> SearchPass? {
    if delaysFours { return SearchPass(plies: plies, threshold: threshold) }
    if plies == deepest { return nil }
    return SearchPass(plies: plies + 1, threshold: threshold, delaysFours: plies >= 2)
  }
}
