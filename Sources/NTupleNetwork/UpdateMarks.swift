import CIntrinsics

/// Marks of the entries of a network that updates have reached, for whoever looks for changes.
///
/// The entries of a cache line share a mark. A mark is a byte, so that the marks of large tables fit into a cache.
///
/// Thread safety: any number of threads may mark; the other members are for barriers only.
///
/// Safety: (1) there is a mark for every entry of the networks that use the marks, which their initialiser
/// checks; (2) `base` is the region of `region` and lives as long; (3) while workers run, every access is a
/// single load or store of one byte.
@safe
public final class UpdateMarks: @unchecked Sendable {
  /// The number of entries that share a mark.
  public static let blockCount = 1 << blockBits
  @usableFromInline static let blockBits = 4

  /// The number of entries of the network.
  public let entryCount: Int
  /// The number of blocks of entries, each of which has a mark.
  public let count: Int
  private let region: SharedWeights
  /// The mark of every block: 0 unless one of its entries has been updated.
  @usableFromInline let base: UnsafeMutablePointer<UInt8>

  /// Creates marks for a network with this many entries, of which none is marked.
  public init(entryCount: Int) {
    self.entryCount = entryCount
    count = (entryCount + UpdateMarks.blockCount - 1) / UpdateMarks.blockCount
    let marksPerWord = MemoryLayout<Float>.stride
    region = SharedWeights(count: (count + marksPerWord - 1) / marksPerWord)
    unsafe base = UnsafeMutableRawPointer(region.base).bindMemory(to: UInt8.self, capacity: count)
  }

  /// Removes the marks of some blocks, and returns the blocks that had one, ascending.
  ///
  /// - Precondition: The blocks are in `0..<count`.
  public func take(in blocks: Range<Int>) -> [Int] {
    let taken = marked(in: blocks)
    for block in taken { unsafe base[block] = 0 }
    return taken
  }

  /// Returns which of some blocks have a mark, ascending.
  ///
  /// - Precondition: The blocks are in `0..<count`.
  public func marked(in blocks: Range<Int>) -> [Int] {
    precondition(0 <= blocks.lowerBound && blocks.upperBound <= count, "blocks out of range")
    var marked: [Int] = []
    let wordCount = MemoryLayout<UInt64>.size
    for start in stride(from: blocks.lowerBound, to: blocks.upperBound, by: wordCount) {
      let end = min(start + wordCount, blocks.upperBound)
      // Most blocks have no mark, and words of them are skipped.
      if end - start == wordCount,
        unsafe UnsafeRawPointer(base + start).loadUnaligned(as: UInt64.self) == 0
      {
        continue
      }
      for block in start..<end where unsafe base[block] != 0 { marked.append(block) }
    }
    return marked
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
  @usableFromInline let base: UnsafeMutablePointer<UInt8>

  @inlinable
  init(_ marks: UpdateMarks) { unsafe base = marks.base }

  @inlinable
  @inline(__always)
  @unsafe
  func mark(_ offset: Int) {
    let mark = unsafe base + offset >> UpdateMarks.blockBits
    // Most updates find the mark set. Not writing it again leaves its line in the caches of other cores.
    if unsafe ci_load_relaxed_byte(mark) == 0 { unsafe ci_store_relaxed_byte(mark, 1) }
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
