import Game2048

/// The eight images of the boards of a batch, in the layout that updates read: image by image.
///
/// ``store(planes:row:)`` stores a board as its first image. ``completeImages(rows:for:)`` computes the
/// other images of many boards at once.
///
/// Safety: (1) `base` points to `8 · stride` initialised words and `stages` to `stride` initialised
/// bytes from `init` to `deinit`; (2) `store` and `planes` check their row against `capacity`, and all
/// other accesses stay below `stride` because they go at most `lookahead` rows past the capacity;
/// (3) the contents of those rows do not matter: a look-up of any word stays within its table, and
/// every stage comes from the one rule of the batch's network.
@safe
@usableFromInline
package final class BoardImages {
  /// The number of rows that an update may read past the current one, to request cache lines in time.
  @usableFromInline static let lookahead = 32

  /// The number of rows that fit.
  @usableFromInline package let capacity: Int
  /// The distance between two images of a row, in words.
  @usableFromInline let stride: Int
  @usableFromInline let base: UnsafeMutablePointer<UInt64>
  @usableFromInline let stages: UnsafeMutablePointer<UInt8>

  /// Allocates room for `capacity` boards.
  package init(capacity: Int) {
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
  package func store(planes: UInt64, row: Int) {
    precondition(0 <= row && row < capacity, "row out of range")
    unsafe base[row] = planes
  }

  /// Computes all images of the first `rows` boards as `network` reads them, and their stages.
  ///
  /// If the network downgrades boards, the stored boards are replaced by the downgraded ones.
  ///
  /// - Precondition: `rows` is at most the capacity, all these rows have been stored since the last
  ///   call, and all calls pass networks of the same shape.
  package func completeImages(rows: Int, for network: NTupleNetwork) {
    precondition(rows <= capacity)
    let (symmetries, rule) = (network.symmetries, network.stages)
    if rule.count > 1 {
      for row in 0..<rows {
        unsafe stages[row] = UInt8(truncatingIfNeeded: rule.stage(ofPlanes: base[row]))
      }
    }
    if network.downgrading != .none {
      for row in 0..<rows { unsafe base[row] = network.read(base[row]).planes }
    }
    // The last step may go up to three rows too far, into the space for the lookahead.
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

  /// Returns the stage of the board in `row`, as computed with its images.
  @inlinable
  @inline(__always)
  func stage(_ row: Int) -> Int { Int(unsafe stages[row]) }

  /// Returns the planes of the board in `row`, which are its first image.
  ///
  /// - Precondition: `row` is in `0..<capacity`.
  @inlinable
  package func planes(_ row: Int) -> UInt64 {
    precondition(0 <= row && row < capacity, "row out of range")
    return unsafe base[row]
  }
}
