import Basics
import Game2048
import Synchronization

/// Computes a table layer by layer.
///
/// First forward: which boards can be reached from those with a small sum of tiles, whatever the moves. Then
/// backward: the probability of the goal, from those of the two layers with one more 2 or 4.
struct TableSolver: Sendable {
  let index: FreeCellIndex
  let threads: Int
  private let rules: Rules
  private let lockedPlanes: UInt64
  private let lockedMask: UInt64

  /// The probability 1, as tables store it.
  static let certain: UInt16 = .max
  /// The largest sum of boards that count as reachable without further reasons, in units of 2.
  static let lastStart = 12
  /// The words of a set that a thread takes at a time.
  private static let portionCount = 512

  init(_ shape: TableShape, threads: Int) {
    index = FreeCellIndex(shape)
    self.threads = threads
    rules = Rules(fourProbability: shape.fourProbability)
    lockedPlanes = shape.emptyBoard.planes
    lockedMask = UInt64(shape.locked) &* 0x0001_0001_0001_0001
  }

  /// The reachable boards of one layer: those before a move, and those after a move, before the spawn.
  typealias Reach = (states: LayerBits, afterstates: LayerBits)

  /// Returns the reachable boards of a layer.
  ///
  /// - Parameters:
  ///   - previous: The afterstates of the layer before, nil for the first.
  ///   - beforePrevious: The afterstates of the layer before that.
  func reach(_ layer: Int, after previous: LayerBits?, _ beforePrevious: LayerBits?) -> Reach {
    let size = index.layerSizes[layer]
    let states = LayerBits(places: size)
    for (source, tile) in [(previous, 1), (beforePrevious, 2)] {
      guard let source else { continue }
      collect(source, layer: layer - tile, into: states) { planes, found in
        forEachSpawn(on: planes, tile: tile) { spawned in
          if let place = index.place(of: spawned) { found.insert(place.number) }
        }
      }
    }
    let afterstates = LayerBits(places: size)
    if layer <= TableSolver.lastStart { afterstates.insertAll(places: size) }
    collect(states, layer: layer, into: afterstates) { planes, found in
      _ = bestMove(planes) { place in
        found.insert(place.number)
        return 0
      }
    }
    return (states, afterstates)
  }

  /// Returns the probabilities of the afterstates of a layer.
  ///
  /// - Parameters:
  ///   - next: The probabilities of the states of the next layer, nil behind the last one.
  ///   - afterNext: The probabilities of the states of the layer after that.
  func afterstateValues(
    _ layer: Int, of afterstates: LayerBits, next: LayerMemory<UInt16>?,
    _ afterNext: LayerMemory<UInt16>?
  ) -> LayerMemory<UInt16> {
    let values = LayerMemory<UInt16>(count: index.layerSizes[layer])
    let fourShare = Float(index.shape.fourProbability)
    forEach(of: afterstates, layer: layer) { number, planes in
      var (twos, fours) = (0, 0)
      for (states, tile) in [(next, 1), (afterNext, 2)] {
        guard let states else { continue }
        var sum = 0
        forEachSpawn(on: planes, tile: tile) { spawned in
          if let place = index.place(of: spawned) { sum &+= unsafe Int(states.base[place.number]) }
        }
        if tile == 1 { twos = sum } else { fours = sum }
      }
      let cells = emptyCells(of: planes).nonzeroBitCount
      guard cells > 0 else { return }
      let mean = (Float(twos) * (1 - fourShare) + Float(fours) * fourShare) / Float(cells)
      unsafe values.base[number] = UInt16(min(mean.rounded(), Float(TableSolver.certain)))
    }
    return values
  }

  /// Returns the probabilities of the states of a layer from those of its afterstates.
  func stateValues(
    _ layer: Int, of states: LayerBits, afterstates: LayerMemory<UInt16>
  ) -> LayerMemory<UInt16> {
    let values = LayerMemory<UInt16>(count: index.layerSizes[layer])
    forEach(of: states, layer: layer) { number, planes in
      unsafe values.base[number] = bestMove(planes) { unsafe afterstates.base[$0.number] }
    }
    return values
  }

  // MARK: Boards

  private func emptyCells(of planes: UInt64) -> UInt16 {
    index.shape.free & ~Board(planes: planes).occupied
  }

  /// Calls `body` with the board after each spawn of a tile.
  @inline(__always)
  private func forEachSpawn(on planes: UInt64, tile: Int, _ body: (UInt64) -> Void) {
    var rest = emptyCells(of: planes)
    let plane = UInt64(16 &* (tile &- 1))
    while rest != 0 {
      body(planes | UInt64(rest & (0 &- rest)) &<< plane)
      rest &= rest &- 1
    }
  }

  /// Returns the largest value of the moves that keep the locked tiles in place: 1 for a move that makes the goal, 0
  /// for one that makes a tile too large for its cell, otherwise what `value` returns for the place of the afterstate.
  @inline(__always)
  private func bestMove(_ planes: UInt64, _ value: (FreeCellIndex.Place) -> UInt16) -> UInt16 {
    let board = planes | lockedPlanes
    let moves = rules.moves(from: Board(planes: board))
    var best: UInt16 = 0
    for move in 0..<4 {
      let afterstate = moves.planes[move]
      if afterstate == board || afterstate & lockedMask != lockedPlanes { continue }
      guard let place = index.place(of: afterstate) else {
        // With a chain as the target, a tile has become too large for its cell. Otherwise the move has made the goal:
        // its sum is that of the board.
        if index.shape.target == .tile { best = TableSolver.certain }
        continue
      }
      best = max(best, index.hasChain(afterstate) ? TableSolver.certain : value(place))
    }
    return best
  }

  // MARK: Threads

  /// Calls `body` with every board of a set, on several threads.
  private func forEach(
    of bits: LayerBits, layer: Int, _ body: @Sendable (_ number: Int, _ planes: UInt64) -> Void
  ) {
    let next = Atomic<Int>(0)
    WorkerThreads.run(count: threads) { _, _ in
      while let words = TableSolver.portion(next, of: bits) {
        index.forEach(of: bits, layer: layer, words: words, body)
      }
    }
  }

  /// Calls `body` with every board of a set, on several threads, and joins the places that they find.
  private func collect(
    _ bits: LayerBits, layer: Int, into result: LayerBits,
    _ body: @Sendable (_ planes: UInt64, _ found: LayerBits) -> Void
  ) {
    let next = Atomic<Int>(0)
    let joined = Mutex(())
    WorkerThreads.run(count: threads) { _, _ in
      let found = LayerBits(count: result.count)
      while let words = TableSolver.portion(next, of: bits) {
        index.forEach(of: bits, layer: layer, words: words) { _, planes in body(planes, found) }
      }
      joined.withLock { _ in result.formUnion(found) }
    }
  }

  /// Returns the next words of a set for a thread, or nil if none are left.
  private static func portion(_ next: borrowing Atomic<Int>, of bits: LayerBits) -> Range<Int>? {
    let start = next.add(portionCount, ordering: .relaxed).oldValue
    return start < bits.count ? start..<min(bits.count, start + portionCount) : nil
  }
}
