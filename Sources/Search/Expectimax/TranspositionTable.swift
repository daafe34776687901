import CIntrinsics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Remembers the values of afterstates, for the rest of a search and for the moves after it.
///
/// Entries of 16 bytes lie in buckets of four, one cache line each; a hash of the afterstate names
/// its bucket. A new value takes the entry of the same afterstate, if there is one, else the one that
/// is worth least: those of earlier moves first, then those searched with the smallest probability,
/// then those with the fewest move layers below them. Afterstates with a tile above 32768 are not
/// remembered.
///
/// Threads may share a table without locks. An entry is two words, the first being the afterstate
/// xor a hash of the second, so that an entry that two threads have written half each belongs to no
/// afterstate that is searched, but by a chance of one in many billions, and is not found. What is lost
/// this way is searched again.
///
/// Safety: (1) the entries' `words` point at `8 · bucketCount` zeroed words within `region`, which is
/// allocated in `init` and freed in `deinit`; (2) a bucket's number is the top bits of a hash, as many as
/// `bucketCount` has, so it is in bounds by construction; (3) every access is a relaxed atomic load or
/// store of one aligned word, and the argument above says why entries torn by it do no harm; (4) what
/// uses ``Entries`` keeps the table alive; (5) `generation` changes between searches only, by the thread that
/// begins the next one.
///
/// Source: Hyatt and Mann, "A lock-less transposition table implementation for parallel search", 2002.
@safe
public final class TranspositionTable: @unchecked Sendable {
  /// The bytes of an entry, and the entries of a bucket.
  public static let entrySize = 16
  public static let bucketSize = 4

  /// The bytes of the smallest table.
  public static let smallestSize = 2 * bucketSize * entrySize

  /// The layers of a value that no number of layers would change.
  @usableFromInline static let allLayers = 255

  /// The way to the entries.
  let entries: Entries
  private let bucketCount: Int
  private let region: UnsafeMutableRawPointer
  /// Counts the moves, modulo 256, to tell the entries of this move from earlier ones.
  private(set) var generation: UInt64 = 0

  /// The memory of the entries, in bytes.
  public var byteCount: Int {
    bucketCount * TranspositionTable.bucketSize * TranspositionTable.entrySize
  }

  /// An empty table of at most `bytes`: the largest power of two of buckets that fits.
  ///
  /// - Precondition: `bytes` is at least ``smallestSize``.
  public init(bytes: Int) {
    precondition(bytes >= TranspositionTable.smallestSize, "a table has at least two buckets")
    let bucket = TranspositionTable.bucketSize * TranspositionTable.entrySize
    let bits = Int.bitWidth - 1 - (bytes / bucket).leadingZeroBitCount
    bucketCount = 1 << bits
    // Zeroed by the system, so that a large table costs nothing before it is used.
    guard let region = unsafe calloc(1, bucketCount * bucket + bucket) else {
      fatalError("no memory for a transposition table of \(bucketCount * bucket) bytes")
    }
    unsafe self.region = region
    entries = unsafe Entries(
      words: region.alignedUp(toMultipleOf: bucket).assumingMemoryBound(to: UInt64.self),
      shift: UInt64(64 - bits))
  }

  deinit {
    unsafe free(region)
  }

  /// Begins the next move: what is remembered stays, but gives way first.
  ///
  /// Not to be called while other threads search, who read the count when they begin.
  func startMove() {
    generation = (generation &+ 1) & 0xFF
  }

  /// What is remembered of an afterstate, packed: the value, how far it was searched, and when.
  @frozen
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

    /// What the entry of an afterstate with these planes has for a key. It is spread over all bits, since
    /// two values that differ little must not make one afterstate's key another's.
    @inlinable
    @inline(__always)
    func key(_ planes: UInt64) -> UInt64 { planes ^ bits &* 0x9E37_79B9_7F4A_7C15 }
  }
}

extension TranspositionTable {
  /// What a search needs to find and to store: it counts no references, and is valid while the table
  /// lives.
  @frozen
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

  /// Asks for the bucket of an afterstate that will soon be looked for.
  @inlinable
  @inline(__always)
  func prefetch(_ planes: UInt64) {
    unsafe ci_prefetch_word(bucket(of: planes))
  }

  /// What is remembered of the afterstate with these planes, which are not all zero.
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

  /// Remembers an afterstate.
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
      // An empty entry looks like one of generation 0, which comes again.
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
