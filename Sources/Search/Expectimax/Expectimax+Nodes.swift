import Game2048
import NTupleNetwork

extension Expectimax {
  /// Returns the value of an afterstate, a chance node, with at most `layers` move layers below it.
  ///
  /// Searched values are rounded to the precision of the table even without one, so that a table
  /// changes nothing unless the search is cut.
  @inlinable
  func value(
    of afterstate: Board, layers: Int, probability: Double, _ state: inout SearchState
  ) -> Double {
    let empty = rules.cells & ~afterstate.occupied
    var layers = layers
    if hasLimits {
      layers = min(layers, settings.limits.layers(emptyCells: empty.nonzeroBitCount))
    }
    state.nodes &+= 1
    if probability < state.threshold { return evaluator.value(of: afterstate) }
    if layers <= 0 {
      state.endsOfLayers &+= 1
      return evaluator.value(of: afterstate)
    }
    if let value = value(ofHopeless: afterstate, below: state.hopelessValue) { return value }
    if state.nodes >= state.nextCheck {
      checkBudget(&state)
      if state.isStopped { return 0 }
    }
    let isPlain = afterstate.highPlane == 0
    let reach = state.reach(probability)
    let depth = state.depth(layers)
    if isPlain, let entry = state.table?.find(afterstate.planes ^ state.salt),
      entry.reach &+ state.slack >= reach,
      entry.layers == depth || entry.layers > depth && state.acceptsDeeper
    {
      if entry.layers != TranspositionTable.allLayers { state.endsOfLayers &+= 1 }
      return Double(entry.value)
    }
    let endsBefore = state.endsOfLayers
    let sum = expandedValue(
      of: afterstate, empty: empty, layers: layers, probability: probability, &state)
    let value = Float(sum)
    if isPlain, !state.isStopped {
      state.table?.store(
        afterstate.planes ^ state.salt,
        TranspositionTable.Packed(
          value: value, reach: reach,
          layers: state.acceptsDeeper && state.endsOfLayers == endsBefore
            ? TranspositionTable.allLayers : depth,
          generation: state.generation))
    }
    return Double(value)
  }

  /// Returns the value of an afterstate that is given up; nil if it has to be searched.
  @inlinable
  @inline(__always)
  func value(ofHopeless afterstate: Board, below least: Double) -> Double? {
    guard least > -.infinity else { return nil }
    let value = evaluator.value(of: afterstate)
    return value < least ? value : nil
  }

  /// Returns the value, not rounded, of an afterstate that has to be searched.
  @inlinable
  @inline(__always)
  func expandedValue(
    of afterstate: Board, empty: UInt16, layers: Int, probability: Double,
    _ state: inout SearchState
  ) -> Double {
    let share = 1 / Double(empty.nonzeroBitCount)
    let twoShare = share * (1 - rules.fourProbability)
    let fourShare = share * rules.fourProbability
    var sum = 0.0
    var searchesTwos = twoShare > 0
    var searchesFours = fourShare > 0
    if afterstate.fitsFourPlanesAfterAnyMove {
      let isLast = layers == 1
      let isLastOfFours = isLast || layers == 2 && state.delaysFours
      let cutsTwos = searchesTwos && probability * twoShare < state.threshold
      let cutsFours = searchesFours && probability * fourShare < state.threshold
      let twosEnd = cutsTwos || searchesTwos && isLast
      let foursEnd = cutsFours || searchesFours && isLastOfFours
      if twosEnd || foursEnd {
        if twosEnd && !cutsTwos || foursEnd && !cutsFours { state.endsOfLayers &+= 1 }
        sum = frontierValue(
          afterstate.planes, empty: empty, twoShare: twosEnd ? twoShare : 0,
          fourShare: foursEnd ? fourShare : 0, &state)
        searchesTwos = searchesTwos && !twosEnd
        searchesFours = searchesFours && !foursEnd
        if !searchesTwos && !searchesFours { return sum }
      }
    }
    var rest = empty
    while rest != 0 {
      let cell = rest.trailingZeroBitCount
      rest &= rest &- 1
      for tile in 0..<2 where tile == 0 ? searchesTwos : searchesFours {
        let share = tile == 0 ? twoShare : fourShare
        let board = Board(
          planes: afterstate.planes | 1 << UInt64(16 &* tile &+ cell),
          highPlane: afterstate.highPlane)
        let costsLayer = tile == 1 && layers > 1 && state.delaysFours
        sum +=
          share
          * value(
            ofState: board, layers: costsLayer ? layers &- 1 : layers,
            probability: probability * share, &state)
        if state.isStopped { return 0 }
      }
    }
    return sum
  }

  /// Returns the value of a state, a move node, with `layers` move layers including its own.
  @inlinable
  @inline(__always)
  func value(
    ofState board: Board, layers: Int, probability: Double, _ state: inout SearchState
  ) -> Double {
    let moves = rules.moves(from: board)
    if let table = state.table {
      for move in 0..<4 { table.prefetch(moves.planes[move] ^ state.salt) }
    }
    var best = -Double.infinity
    for move in 0..<4 {
      let afterstate = moves.afterstate(ofMove: move)
      if afterstate == board { continue }
      let value =
        rewardWeight * Double(moves.rewards[move])
        + value(of: afterstate, layers: layers &- 1, probability: probability, &state)
      if state.isStopped { return 0 }
      best = max(best, value)
    }
    return best == -.infinity ? terminalValue : best
  }

  /// Stops the search if its budget is used up, or if it is cancelled.
  @inlinable
  @inline(never)
  func checkBudget(_ state: inout SearchState) {
    let now = ProcessorTime.ofThread
    if state.nodes >= state.nodeLimit || memory.isStopped || now >= state.deadline
      || memory.isCancelled
    {
      state.isStopped = true
      memory.isStopped = true
      state.nextCheck = .max
    } else {
      state.scheduleCheck(after: now)
    }
  }
}
