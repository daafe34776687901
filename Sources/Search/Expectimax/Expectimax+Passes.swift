import Game2048
import NTupleNetwork

extension Expectimax {
  /// Searches a board and returns the values of its moves, with the best one.
  ///
  /// The call starts the clock of a time budget. A search is not reentrant: only one thread may
  /// call it at a time, on the search or any copy of it.
  @inlinable
  public func search(_ board: Board) -> SearchResult {
    let start = settings.isTimed ? ProcessorTime.ofThread : 0
    var deadline = memory.deadline(for: board, settings, start: start)
    // Two tiles of 131072 do not merge, but their downgraded ones do.
    let legal = settings.downgradeExponent == nil ? 15 : rules.legalMoves(from: board)
    let board = settings.downgradeExponent.map { board.downgraded(from: $0) } ?? board
    memory.startMove()
    var root = SearchRoot(
      board, legal: legal, rules: rules, hopelessValue: evaluator.hopelessValue(from: board))
    var result = SearchResult()
    if root.count == 0 { return result }
    if settings.hasBudget {
      deepen(&root, board, &deadline, &result)
      memory.settle(start: start, deadline: deadline)
    } else {
      let pass = SearchPass(
        plies: settings.depth.plies(from: board), threshold: settings.probability)
      run(pass, root, &deadline, &result)
    }
    return result
  }

  /// Searches in ever deeper passes until the budget is used up.
  ///
  /// It does so even if only one move is legal, because the table keeps what the next move will
  /// need. With a mean time per move, it ends as soon as one move is left.
  ///
  /// An unfinished pass counts as far as it came: it starts with the best move of the pass before, and
  /// another move replaces that one only if both were searched to the full depth of the pass.
  @inlinable
  func deepen(
    _ root: inout SearchRoot, _ board: Board, _ deadline: inout UInt64, _ result: inout SearchResult
  ) {
    let deepest = settings.depth.plies(from: board)
    var next: SearchPass? = SearchPass(plies: 1, threshold: settings.probability)
    while let pass = next {
      run(pass, root, &deadline, &result)
      if memory.isStopped { return }
      root.sort(by: result.values)
      if settings.averageMilliseconds != nil {
        root.dropMoves(farBehind: result.values)
        if root.active == 1 { return }
      }
      next = pass.next(upTo: deepest)
    }
  }

  /// Searches the moves of the root.
  ///
  /// - Parameter deadline: The CPU time of the calling thread at which to stop. It is moved forward
  ///   if other threads have searched longer than this one.
  @inlinable
  func run(
    _ pass: SearchPass, _ root: SearchRoot, _ deadline: inout UInt64, _ result: inout SearchResult
  ) {
    // The first pass has no budget, so that there is a best move.
    let isFirst = result.best == nil
    let nodeLimit = settings.nodes.map { $0 - result.nodes } ?? .max
    var state = SearchState(
      pass: pass, hopelessValue: root.hopelessValue, settings: settings, memory: memory,
      nodeLimit: isFirst ? .max : nodeLimit,
      deadline: isFirst ? .max : deadline)
    var values = SIMD4<Double>(repeating: -.infinity)
    if settings.threads > 1 && pass.plies > 2 && !isLimited(root, layers: pass.plies - 1) {
      let waited = runInParallel(pass, root, &state, &values)
      if deadline != .max { deadline -= min(deadline, waited) }
    } else {
      for place in 0..<root.active {
        let move = root.order[place]
        let value = value(
          of: root.moves.afterstate(ofMove: move), layers: pass.plies - 1, probability: 1, &state)
        if state.isStopped { break }
        values[move] = rewardWeight * Double(root.moves.rewards[move]) + value
      }
    }
    result.nodes += state.nodes
    // A pass that did not finish the best move of the one before says nothing.
    guard values[root.order[0]] != -.infinity else { return }
    if !state.isStopped { result.passes += 1 }
    result.values.replace(with: values, where: values .> -.infinity)
    // Only moves of this pass compete; the first of equal ones wins.
    var best = root.order[0]
    for move in 0..<4 {
      if values[move] > values[best] || values[move] == values[best] && move < best {
        best = move
      }
    }
    result.best = Direction(rawValue: best)
    // Moves that the pass did not reach, or left out, keep a value of a pass before, at most just below
    // the best.
    for place in 0..<root.count where values[root.order[place]] == -.infinity {
      let move = root.order[place]
      result.values[move] = min(result.values[move], values[best].nextDown)
    }
  }
}

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

  /// - Parameter legal: A mask of the moves that the game allows.
  @usableFromInline
  init(_ board: Board, legal: UInt8, rules: Rules, hopelessValue: Double) {
    self.hopelessValue = hopelessValue
    moves = rules.moves(from: board)
    let legal = moves.legalMoves(from: board) & legal
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
