import Game2048

/// Remembers the values of afterstates within the search of one move.
///
/// Every afterstate has one place, which the latest one takes. An entry holds for the remaining depth
/// that it was searched to and for the current move only, so that a player's moves do not depend on
/// what it searched before.
///
/// Not safe to share between threads: one player owns it.
///
/// Safety: (1) `entries` points at `1 << bits` initialised entries, allocated in `init` and freed in
/// `deinit`; (2) a place is the top `bits` bits of a hash, so it is in bounds by construction.
@safe
public final class TranspositionTable {
  @frozen
  @usableFromInline
  struct Entry {
    @usableFromInline var planes: UInt64
    @usableFromInline var value: Double
    @usableFromInline var generation: UInt32
    @usableFromInline var highPlane: UInt16
    @usableFromInline var plies: UInt16

    @inlinable
    init(_ afterstate: Board, plies: Int, value: Double, generation: UInt32) {
      planes = afterstate.planes
      highPlane = afterstate.highPlane
      self.plies = UInt16(truncatingIfNeeded: plies)
      self.value = value
      self.generation = generation
    }
  }

  @usableFromInline let entries: UnsafeMutablePointer<Entry>
  @usableFromInline let shift: UInt64
  @usableFromInline var generation: UInt32 = 0

  /// A table of `1 << bits` entries of 24 bytes.
  ///
  /// - Precondition: `bits` is in `1...30`.
  public init(bits: Int) {
    precondition((1...30).contains(bits), "a transposition table has 2 to 2^30 entries")
    shift = UInt64(64 - bits)
    unsafe entries = .allocate(capacity: 1 << bits)
    unsafe entries.initialize(
      repeating: Entry(Board(), plies: 0, value: 0, generation: 0), count: 1 << bits)
  }

  deinit {
    unsafe entries.deallocate()
  }

  /// Forgets everything.
  @inlinable
  func startMove() {
    // After 2^32 moves entries of the first would come alive again; no game is that long.
    generation &+= 1
  }

  @inlinable
  @inline(__always)
  func place(of afterstate: Board) -> Int {
    let key = afterstate.planes ^ (UInt64(afterstate.highPlane) << 24)
    // Folded once, because the product's top bits see little of the key's top bits.
    let product = (key ^ (key >> 29)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: (product ^ (product << 27)) >> shift)
  }

  /// The remembered value of `afterstate` with `plies` move layers below it.
  @inlinable
  @inline(__always)
  func value(of afterstate: Board, plies: Int) -> Double? {
    let entry = unsafe entries[place(of: afterstate)]
    return entry.planes == afterstate.planes && entry.highPlane == afterstate.highPlane
      && entry.plies == plies && entry.generation == generation ? entry.value : nil
  }

  /// Remembers a value in the place of whatever was there.
  @inlinable
  @inline(__always)
  func store(_ value: Double, of afterstate: Board, plies: Int) {
    unsafe entries[place(of: afterstate)] = Entry(
      afterstate, plies: plies, value: value, generation: generation)
  }
}
