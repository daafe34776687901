import Game2048

/// The root of a search: its moves, and the order of their search.
@usableFromInline
struct SearchRoot {
  @usableFromInline let moves: MoveSet
  /// The value below which an afterstate is given up.
  @usableFromInline let hopelessValue: Double
  /// The numbers of the legal moves in the order of their search.
  @usableFromInline var order = SIMD4<Int>.zero
  /// The number of legal moves.
  @usableFromInline var count = 0
  /// The number of moves that the next pass searches, the first of ``order``.
  @usableFromInline private(set) var active = 0

  /// By how much each move was behind the best one after the last pass.
  private var gaps = SIMD4<Double>.zero
  /// The largest change of a gap in each of the last two passes; nil before they are finished.
  private var changes: (Double?, Double?) = (nil, nil)
  private var passes = 0

  @usableFromInline
  init(_ board: Board, rules: Rules, hopelessValue: Double) {
    self.hopelessValue = hopelessValue
    moves = rules.moves(from: board)
    let legal = moves.legalMoves(from: board)
    for move in 0..<4 where legal >> move & 1 == 1 {
      order[count] = move
      count += 1
    }
    active = count
  }

  /// Sorts the moves that are still searched by value, largest first.
  @usableFromInline
  mutating func sort(by values: SIMD4<Double>) {
    for place in 1..<max(1, active) {
      let move = order[place]
      var free = place
      while free > 0, values[order[free - 1]] < values[move] {
        order[free] = order[free - 1]
        free -= 1
      }
      order[free] = move
    }
  }

  /// Leaves out of later passes the moves whose gap exceeds twice the largest change of any gap in the last
  /// two passes.
  ///
  /// The changes say how much a deeper search still moves the values of this board, so the rule needs no
  /// scale of the evaluator. The factor was chosen by the regret of searches.
  ///
  /// - Precondition: The moves are sorted by `values`, those of a finished pass.
  @usableFromInline
  mutating func dropMoves(farBehind values: SIMD4<Double>) {
    var change = 0.0
    for place in 0..<active {
      let move = order[place]
      let gap = values[order[0]] - values[move]
      change = max(change, abs(gap - gaps[move]))
      gaps[move] = gap
    }
    // A pass without any change found all its values in the table, and has searched nothing.
    if passes > 0 && change == 0 { return }
    changes = (changes.1, passes > 0 ? change : nil)
    passes += 1
    guard let before = changes.0, let last = changes.1 else { return }
    while active > 1, gaps[order[active - 1]] > 2 * max(before, last) { active -= 1 }
  }
}
