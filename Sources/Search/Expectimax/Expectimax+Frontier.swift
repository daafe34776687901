import CIntrinsics
import Game2048
import NTupleNetwork

// Nearly all time goes into the last ply. A spawn changes one row and one column, so the moves of
// the board with the spawn are the moves of the board without it except for one line. And all
// spawns between the same two tiles of a line slide to the same place, so on average half of the
// boards need no separate value. The others are valued together.

extension Expectimax {
  /// Returns the part of a chance node's value that comes from spawns after which one move is left:
  /// `Σ_cells Σ_tiles share · max_moves (rewardWeight · reward + value(afterstate))`.
  ///
  /// - Parameters:
  ///   - planes: The planes of an afterstate that stays within four planes after any move.
  ///   - twoShare: The probability of a 2 in any one cell; 0 leaves the 2s out.
  ///   - fourShare: The probability of a 4 in any one cell; 0 leaves the 4s out.
  @inlinable
  func frontierValue(
    _ planes: UInt64, empty: UInt16, twoShare: Double, fourShare: Double,
    _ state: inout SearchState
  ) -> Double {
    let leaves = collectLeaves(
      planes, empty: empty, tiles: (twoShare > 0 ? 1 : 0) | (fourShare > 0 ? 2 : 0), state.scratch)
    valueLeaves(leaves, state.scratch)
    state.nodes &+= leaves
    let (worths, slots) = unsafe (state.scratch.worths, state.scratch.slots)
    @inline(__always)
    func best(_ place: Int) -> Double {
      let up = unsafe worths[Int(slots[place])]
      let down = unsafe worths[Int(slots[place &+ 1])]
      let left = unsafe worths[Int(slots[place &+ 2])]
      let right = unsafe worths[Int(slots[place &+ 3])]
      let best = max(max(up, down), max(left, right))
      return best == -.infinity ? terminalValue : best
    }
    var twos = 0.0
    var fours = 0.0
    var rest = empty
    while rest != 0 {
      let cell = rest.trailingZeroBitCount
      rest &= rest &- 1
      if twoShare > 0 { twos += best(8 &* cell) }
      if fourShare > 0 { fours += best(8 &* cell &+ 4) }
    }
    return twoShare * twos + fourShare * fours
  }

  /// Lists the different leaves below a chance node, and the leaf of each spawn and move.
  ///
  /// - Parameter tiles: Bit 0 for spawns of a 2, bit 1 for spawns of a 4.
  /// - Returns: The number of leaves.
  @inlinable
  func collectLeaves(
    _ planes: UInt64, empty: UInt16, tiles: Int, _ scratch: FrontierScratch
  ) -> Int {
    let moves = rules.moves(from: Board(planes: planes))
    var count = 0
    for line in 0..<4 {
      let inRow = Int(empty >> UInt16(4 &* line)) & 0xF
      if inRow != 0 {
        collectLeaves(
          planes, mask: 0x000F_000F_000F_000F << UInt64(4 &* line), emptyPlaces: inRow,
          firstCell: 4 &* line, cellStep: 1, moves, firstMove: 2, tiles: tiles, &count, scratch)
      }
      let inColumn = Int(ci_extract_bits(UInt64(empty), 0x1111 << UInt64(line)))
      if inColumn != 0 {
        collectLeaves(
          planes, mask: 0x1111_1111_1111_1111 << UInt64(line), emptyPlaces: inColumn,
          firstCell: line, cellStep: 4, moves, firstMove: 0, tiles: tiles, &count, scratch)
      }
    }
    return count
  }

  /// Lists the leaves of the spawns in one line and the two moves along it.
  ///
  /// - Parameters:
  ///   - mask: The bits of the line's cells in all planes.
  ///   - firstMove: The number of the move towards the line's first cell; the next is its opposite.
  @inlinable
  @inline(__always)
  func collectLeaves(
    _ planes: UInt64, mask: UInt64, emptyPlaces: Int, firstCell: Int, cellStep: Int,
    _ moves: MoveSet, firstMove: Int, tiles: Int, _ count: inout Int, _ scratch: FrontierScratch
  ) {
    let line = UInt16(truncatingIfNeeded: ci_extract_bits(planes, mask))
    let others = planes & ~mask
    let othersFirst = moves.planes[firstMove] & ~mask
    let othersLast = moves.planes[firstMove &+ 1] & ~mask
    let movesOthersFirst = othersFirst != others
    let movesOthersLast = othersLast != others
    let othersReward = moves.rewards[firstMove] &- rules.slid(line: line).reward
    for tile in 0..<2 where tiles >> tile & 1 == 1 {
      // No line with a tile is 0.
      var lastFirst: (line: UInt16, leaf: Int) = (0, 0)
      var lastLast: (line: UInt16, leaf: Int) = (0, 0)
      var rest = emptyPlaces
      while rest != 0 {
        let place = rest.trailingZeroBitCount
        rest &= rest &- 1
        let spawned = line | 1 << UInt16(4 &* tile &+ place)
        let slid = rules.slid(line: spawned)
        let slot = 8 &* (firstCell &+ cellStep &* place) &+ 4 &* tile &+ firstMove
        unsafe scratch.slots[slot] = scratch.leaf(
          slid.towardsFirst, others: othersFirst, mask: mask, reward: othersReward &+ slid.reward,
          isLegal: movesOthersFirst || slid.towardsFirst != spawned, last: &lastFirst, &count)
        unsafe scratch.slots[slot &+ 1] = scratch.leaf(
          slid.towardsLast, others: othersLast, mask: mask, reward: othersReward &+ slid.reward,
          isLegal: movesOthersLast || slid.towardsLast != spawned, last: &lastLast, &count)
      }
    }
  }

  /// Values the leaves 1 to `count`.
  @inlinable
  @inline(__always)
  func valueLeaves(_ count: Int, _ scratch: FrontierScratch) {
    unsafe evaluator.write(
      valuesOfPlanes: scratch.planes + 1, count: count, to: scratch.worths + 1)
    for leaf in 0..<count {
      unsafe scratch.worths[leaf &+ 1] += rewardWeight * Double(scratch.rewards[leaf &+ 1])
    }
  }
}

/// The regions in which one thread values the leaves below one chance node, without owning them.
///
/// Safety: (1) only one thread uses a scratch; (2) its regions are allocated in `init` for the
/// largest number of leaves of a chance node, and live as long as the ``SearchMemory`` that owns
/// them, which the search keeps alive; (3) all of them are initialised.
@usableFromInline
@safe
struct FrontierScratch {
  /// 16 cells, 2 tiles, 4 moves.
  @usableFromInline static let slotCount = 16 * 2 * 4
  /// The leaf of every move that is not legal, which is worth less than any other.
  @usableFromInline static let illegal = 0

  /// The planes of the leaves, from leaf 1 on.
  @usableFromInline let planes: UnsafeMutablePointer<UInt64>
  /// The rewards of the moves to the leaves.
  @usableFromInline let rewards: UnsafeMutablePointer<Int32>
  /// The values of the moves to the leaves.
  @usableFromInline let worths: UnsafeMutablePointer<Double>
  /// The leaf of each spawn and move: `[cell][tile][move]`.
  @usableFromInline let slots: UnsafeMutablePointer<UInt8>

  /// Returns the leaf of a spawn and move: the last one if the line slides to the same, else a new
  /// one.
  ///
  /// It has no branches, because whether a leaf is new or a move legal is hard to predict.
  ///
  /// - Parameter last: The last leaf of this move along the line, and the line after the move.
  @inlinable
  @inline(__always)
  func leaf(
    _ line: UInt16, others: UInt64, mask: UInt64, reward: Int32, isLegal: Bool,
    last: inout (line: UInt16, leaf: Int), _ count: inout Int
  ) -> UInt8 {
    let next = count &+ 1
    unsafe planes[next] = others | ci_deposit_bits(UInt64(line), mask)
    unsafe rewards[next] = reward
    let isNew = isLegal && line != last.line
    count = isNew ? next : count
    last.leaf = isNew ? next : last.leaf
    last.line = isNew ? line : last.line
    return UInt8(truncatingIfNeeded: isLegal ? last.leaf : FrontierScratch.illegal)
  }

  init() {
    // Leaf 0, and one that may be written in vain.
    let leaves = FrontierScratch.slotCount + 2
    unsafe planes = .allocate(capacity: leaves)
    unsafe planes.initialize(repeating: 0, count: leaves)
    unsafe rewards = .allocate(capacity: leaves)
    unsafe rewards.initialize(repeating: 0, count: leaves)
    unsafe worths = .allocate(capacity: leaves)
    unsafe worths.initialize(repeating: -.infinity, count: leaves)
    unsafe slots = .allocate(capacity: FrontierScratch.slotCount)
    unsafe slots.initialize(repeating: 0, count: FrontierScratch.slotCount)
  }

  /// Frees the regions; the owner calls it once.
  func deallocate() {
    unsafe planes.deallocate()
    unsafe rewards.deallocate()
    unsafe worths.deallocate()
    unsafe slots.deallocate()
  }
}
