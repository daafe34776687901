import CIntrinsics

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
    // Leaf 0, one that may be written in vain, and three more because leaves are valued in fours.
    let leaves = FrontierScratch.slotCount + 5
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
