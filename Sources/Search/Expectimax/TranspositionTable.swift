import CIntrinsics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A memory of the values of afterstates, for the rest of a search and for the following moves.
///
/// Entries of 16 bytes lie in buckets of four, one cache line each. A hash of the afterstate
/// selects its bucket. A new value replaces the entry of the same afterstate, if there is one.
/// Otherwise it replaces the entry of the oldest move, then the one searched with the smallest
/// probability, then the one with the fewest move layers below it. Afterstates with a tile above
/// 32768 are not remembered.
///
/// Thread safety: ``Entries`` may be shared between threads without locks. An entry is two words,
/// the first of which is the afterstate xor a hash of the second. If two threads each write half of
/// an entry, it matches no afterstate of the search, except with a probability of one in many
/// billions, and is not found; what is lost is searched again. The table itself is not `Sendable`,
/// because `startMove()` must not run during a search.
///
/// Safety: (1) the entries' `words` point at `8 · bucketCount` zeroed words within `region`, which
/// is allocated in `init` and freed in `deinit`; (2) a bucket's number is the top bits of a hash,
/// as many as `bucketCount` has, so it is in bounds by construction; (3) every access is a relaxed
/// atomic load or store of one aligned word, and the paragraph above explains why torn entries do
/// no harm; (4) the search that uses ``Entries`` keeps the table alive.
///
/// Source: Hyatt and Mann, "A lock-less transposition table implementation for parallel search",
/// 2002.
@safe
@usableFromInline
package final class TranspositionTable {
  static let entrySize = 16
  /// The entries of a bucket.
  static let bucketSize = 4

  /// The bytes of the smallest table.
  package static let smallestSize = 2 * bucketSize * entrySize

  /// The depth of a value that more layers would not change.
  @usableFromInline static let allLayers = 255

  /// The entries.
  let entries: Entries
  private let bucketCount: Int
  private let region: UnsafeMutableRawPointer
  /// The number of the move, modulo 256, which distinguishes its entries from earlier ones.
  private(set) var generation: UInt64 = 0

  /// The memory of the entries, in bytes.
  var byteCount: Int {
    bucketCount * TranspositionTable.bucketSize * TranspositionTable.entrySize
  }

  /// Creates an empty table of at most `bytes`: the largest power of two of buckets that fits.
  ///
  /// - Precondition: `bytes` is at least ``smallestSize``.
  init(bytes: Int) {
    precondition(bytes >= TranspositionTable.smallestSize, "a table has at least two buckets")
    let bucket = TranspositionTable.bucketSize * TranspositionTable.entrySize
    let bits = Int.bitWidth - 1 - (bytes / bucket).leadingZeroBitCount
    bucketCount = 1 << bits
    // Zeroed by the system, so that a large table costs nothing before it is used.
    guard let region = unsafe calloc(1, bucketCount * bucket + bucket) else {
      fatalError("cannot allocate a transposition table of \(bucketCount * bucket) bytes")
    }
    unsafe self.region = region
    entries = unsafe Entries(
      words: region.alignedUp(toMultipleOf: bucket).assumingMemoryBound(to: UInt64.self),
      shift: UInt64(64 - bits))
  }

  deinit {
    unsafe free(region)
  }

  /// Starts the next move: older entries stay, but are replaced first.
  ///
  /// - Precondition: No thread is searching; threads read the number of the move when they start.
  func startMove() {
    generation = (generation &+ 1) & 0xFF
  }

  /// The value, reach, depth and move of an entry in one word.
  @usableFromInline
  struct Packed {
    /// The value as bits 32 to 63, the reach as 16 to 31, the layers as 8 to 15 in the measure of
    /// ``SearchState/depth(_:)``, the generation last.
    @usableFromInline var bits: UInt64

    @inlinable
    @inline(__always)
    init(bits: UInt64) {
      self.bits = bits
    }

    @inlinable
    @inline(__always)
    init(value: Float, reach: UInt16, layers: Int, generation: UInt64) {
      bits =
        UInt64(value.bitPattern) << 32 | UInt64(reach) << 16
        | UInt64(truncatingIfNeeded: layers) << 8 | generation
    }

    @inlinable var value: Float { Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32)) }
    @inlinable var reach: UInt16 { UInt16(truncatingIfNeeded: bits >> 16) }
    @inlinable var layers: Int { Int(truncatingIfNeeded: (bits >> 8) & 0xFF) }
    @inlinable var generation: UInt64 { bits & 0xFF }

    /// Returns the first word of the entry of an afterstate with these planes.
    ///
    /// The hash spreads over all bits, because two values that differ little must not turn the key
    /// of one afterstate into that of another.
    @inlinable
    @inline(__always)
    func key(_ planes: UInt64) -> UInt64 { planes ^ bits &* 0x9E37_79B9_7F4A_7C15 }
  }
}

extension TranspositionTable {
  /// Access to the entries without reference counting, valid while the table lives.
  @usableFromInline
  @safe
  struct Entries: @unchecked Sendable {
    @usableFromInline let words: UnsafeMutablePointer<UInt64>
    @usableFromInline let shift: UInt64
  }
}

extension TranspositionTable.Entries {
  @inlinable
  @inline(__always)
  func bucket(of planes: UInt64) -> UnsafeMutablePointer<UInt64> {
    // Folded once, because the product's top bits see little of the key's top bits.
    let product = (planes ^ (planes >> 29)) &* 0x9E37_79B9_7F4A_7C15
    return unsafe words
      + 8 &* Int(truncatingIfNeeded: (product ^ (product << 27)) >> shift)
  }

  /// Prefetches the bucket of an afterstate that will soon be looked up.
  @inlinable
  @inline(__always)
  func prefetch(_ planes: UInt64) {
    unsafe ci_prefetch(bucket(of: planes))
  }

  /// Returns the entry of the afterstate with these planes, which are not all zero; nil if there is
  /// none.
  @inlinable
  @inline(__always)
  func find(_ planes: UInt64) -> TranspositionTable.Packed? {
    let bucket = unsafe bucket(of: planes)
    for place in 0..<4 {
      let entry = unsafe TranspositionTable.Packed(
        bits: ci_load_relaxed_word(bucket + (2 &* place &+ 1)))
      if unsafe ci_load_relaxed_word(bucket + 2 &* place) == entry.key(planes) { return entry }
    }
    return nil
  }

  /// Stores the entry of an afterstate.
  @inlinable
  @inline(__always)
  func store(_ planes: UInt64, _ new: TranspositionTable.Packed) {
    let bucket = unsafe bucket(of: planes)
    var victim = 0
    var leastWorth = UInt64.max
    for place in 0..<4 {
      let entry = unsafe TranspositionTable.Packed(
        bits: ci_load_relaxed_word(bucket + (2 &* place &+ 1)))
      if unsafe ci_load_relaxed_word(bucket + 2 &* place) == entry.key(planes) {
        victim = place
        break
      }
      let age = (new.generation &- entry.generation) & 0xFF
      // An empty entry looks like one of generation 0, which recurs.
      let worth =
        entry.bits == 0
        ? 0
        : (255 &- age) << 24 | UInt64(entry.reach) << 8 | UInt64(truncatingIfNeeded: entry.layers)
      if worth < leastWorth {
        leastWorth = worth
        victim = place
      }
    }
    unsafe ci_store_relaxed_word(bucket + 2 &* victim, new.key(planes))
    unsafe ci_store_relaxed_word(bucket + (2 &* victim &+ 1), new.bits)
  }
}
