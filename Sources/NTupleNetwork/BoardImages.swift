import Game2048

/// The eight images of the boards of a batch, image by image: the form in which updates read them.
///
/// Boards are stored as they come, as their first images; ``completeImages(rows:for:)``
/// computes the others of many boards at once.
///
/// Safety: (1) `base` points at `8 · stride` initialised words and `stages` at `stride` bytes from
/// `init` to `deinit`; (2) `store` checks its row against `capacity`, and all others stay below
/// `stride` because they go at most ``lookahead`` rows past the capacity; (3) what those rows hold does
/// not matter, since a look-up of any word stays within its table, and any stage found by the one rule
/// of a batch within its network.
@safe
public final class BoardImages {
  /// How many rows past the one at hand an update may read, to ask for cache lines in time.
  @usableFromInline static let lookahead = 32

  /// The number of rows that fit.
  public let capacity: Int
  /// The distance between two images of a row, in words.
  @usableFromInline let stride: Int
  @usableFromInline let base: UnsafeMutablePointer<UInt64>
  @usableFromInline let stages: UnsafeMutablePointer<UInt8>

  /// Room for `capacity` boards.
  public init(capacity: Int) {
    self.capacity = capacity
    stride = capacity + BoardImages.lookahead
    unsafe base = .allocate(capacity: Symmetries.count * stride)
    unsafe base.initialize(repeating: 0, count: Symmetries.count * stride)
    unsafe stages = .allocate(capacity: stride)
    unsafe stages.initialize(repeating: 0, count: stride)
  }

  deinit {
    unsafe base.deallocate()
    unsafe stages.deallocate()
  }

  /// Stores the board with these planes.
  ///
  /// - Precondition: `row` is in `0..<capacity`.
  @inlinable
  public func store(planes: UInt64, row: Int) {
    precondition(0 <= row && row < capacity, "row out of range")
    unsafe base[row] = planes
  }

  /// Computes all images of the first `rows` boards as a network reads them, and their stages.
  ///
  /// The stored boards become what the network reads, downgraded where it downgrades them.
  ///
  /// - Precondition: `rows` is at most the capacity, all have been stored since the last call, and the
  ///   network's shape is the same for every call.
  public func completeImages(rows: Int, for network: NTupleNetwork) {
    precondition(rows <= capacity)
    let (symmetries, rule) = (network.symmetries, network.stages)
    let downgrading = network.downgrading
    if rule.count > 1 {
      for row in 0..<rows {
        unsafe stages[row] = UInt8(truncatingIfNeeded: rule.stage(ofPlanes: base[row]))
      }
    }
    if downgrading != .none {
      for row in 0..<rows { unsafe base[row] = downgrading.downgraded(base[row]) }
    }
    // The last step may go up to three rows further, into the room for the lookahead.
    var row = 0
    while row < rows {
      let first = unsafe UnsafeRawPointer(base + row)
      let planes = unsafe first.loadUnaligned(as: SIMD4<UInt64>.self)
      symmetries.forEachImage(of: planes) { image, planes in
        let place = unsafe UnsafeMutableRawPointer(base + (image &* stride &+ row))
        unsafe place.storeBytes(of: planes, as: SIMD4<UInt64>.self)
      }
      row += 4
    }
  }

  /// The stage of the board in `row`, once it has been found.
  @inlinable
  @inline(__always)
  func stage(_ row: Int) -> Int { Int(unsafe stages[row]) }

  /// The planes of the board in `row`: its first image.
  ///
  /// - Precondition: `row` is in `0..<capacity`.
  @inlinable
  public func planes(_ row: Int) -> UInt64 {
    precondition(0 <= row && row < capacity, "row out of range")
    return unsafe base[row]
  }
}
