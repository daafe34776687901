import CIntrinsics

/// Marks of the entries of a network that updates have reached, for whoever looks for changes.
///
/// Consecutive entries share a mark, so that the marks of large tables fit into a cache.
///
/// Thread safety: any number of threads may mark; the other members are for barriers only.
///
/// Safety: (1) there is a mark for every entry of the networks that use the marks, which their initialiser
/// checks; (2) a mark is a float of ``SharedWeights``, accessed as its safety argument says.
@safe
public final class UpdateMarks: Sendable {
  /// The number of entries that share a mark.
  public static let blockCount = 1 << blockBits
  @usableFromInline static let blockBits = 6

  /// The number of entries of the network.
  public let entryCount: Int
  /// The mark of every block: 0 unless one of its entries has been updated.
  @usableFromInline let marks: SharedWeights

  /// Creates marks for a network with this many entries, of which none is marked.
  public init(entryCount: Int) {
    self.entryCount = entryCount
    marks = SharedWeights(
      count: (entryCount + UpdateMarks.blockCount - 1) / UpdateMarks.blockCount)
  }

  /// The number of blocks.
  public var count: Int { marks.count }

  /// Returns whether a block is marked, and removes its mark.
  ///
  /// - Precondition: `block` is in `0..<count`.
  public func take(_ block: Int) -> Bool {
    let isMarked = marks[block] != 0
    if isMarked { marks[block] = 0 }
    return isMarked
  }
}

/// What marks the entries that an update changes.
@usableFromInline
protocol EntryMarks {
  /// Marks the entry at this offset in the weights.
  @unsafe func mark(_ offset: Int)
}

/// The marks of ``UpdateMarks``, which must outlive this view.
@usableFromInline
@unsafe
struct BlockMarks: EntryMarks {
  @usableFromInline let base: UnsafeMutablePointer<Float>

  @inlinable
  init(_ marks: UpdateMarks) { unsafe base = marks.marks.base }

  @inlinable
  @inline(__always)
  @unsafe
  func mark(_ offset: Int) {
    let mark = unsafe base + offset >> UpdateMarks.blockBits
    // Most updates find the mark set. Not writing it again leaves its line in the caches of other cores.
    if unsafe ci_load_relaxed(mark) == 0 { unsafe ci_store_relaxed(mark, 1) }
  }
}

/// Marks nothing.
@usableFromInline
struct NoMarks: EntryMarks {
  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  @unsafe
  func mark(_ offset: Int) {}
}
