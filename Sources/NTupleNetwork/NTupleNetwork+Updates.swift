import CIntrinsics
import Game2048

// The updates of a batch go feature by feature, and along the rows within a feature. Consecutive rows
// are consecutive boards of a game, so most often they read the same cache line. With two workers the
// line stays on one core for all of them, instead of moving to and fro with every row; and it is asked
// for in time, for writing at once, a few rows ahead.

extension NTupleNetwork {
  /// Adds `steps[row]` to every feature of each row, in place.
  ///
  /// A feature that occurs in several symmetries or rows is moved once for each.
  ///
  /// - Precondition: `rows` is at most the images' capacity, and `steps` holds as many.
  @inlinable
  @unsafe
  public func add(_ steps: UnsafePointer<Float>, to images: BoardImages, rows: Int) {
    precondition(rows <= images.capacity)
    for place in 0..<tableCount {
      let (mask, entries) = unsafe (tables[place].mask, tables[place].entries)
      for image in 0..<Symmetries.count {
        let words = unsafe images.base + image &* images.stride
        for row in 0..<rows {
          let ahead = unsafe ci_extract_bits(words[row &+ BoardImages.lookahead], mask)
          unsafe ci_prefetch_for_writing(entries + Int(truncatingIfNeeded: ahead))
          let entry =
            unsafe entries
            + Int(truncatingIfNeeded: ci_extract_bits(words[row], mask))
          unsafe ci_store_relaxed(entry, ci_load_relaxed(entry) + steps[row])
        }
      }
    }
  }

  /// Copies the weights of the features of each row, and where they came from.
  ///
  /// - Parameters:
  ///   - matrix: receives the weights, `[features, stride]`, row-major: a line a feature, pattern by
  ///     pattern with eight symmetries each, and in it the batch's rows.
  ///   - indices: receives, in the same shape, the indices within the pattern's tables.
  ///   - stride: the length of a line of both, at least `rows`.
  /// - Precondition: `rows` is at most the images' capacity.
  @inlinable
  @unsafe
  public func gather(
    featuresOf images: BoardImages, rows: Int, matrix: UnsafeMutablePointer<Float>,
    indices: UnsafeMutablePointer<UInt32>, stride: Int
  ) {
    precondition(rows <= images.capacity && rows <= stride)
    for place in 0..<tableCount {
      let (mask, entries) = unsafe (tables[place].mask, tables[place].entries)
      for image in 0..<Symmetries.count {
        let words = unsafe images.base + image &* images.stride
        let line = (Symmetries.count &* place &+ image) &* stride
        for row in 0..<rows {
          let index = unsafe UInt32(truncatingIfNeeded: ci_extract_bits(words[row], mask))
          unsafe indices[line &+ row] = index
          unsafe matrix[line &+ row] = ci_load_relaxed(entries + Int(index))
        }
      }
    }
  }

  /// Adds `steps[row]` to the features that ``gather(featuresOf:rows:matrix:indices:stride:)`` listed
  /// for each row.
  ///
  /// - Precondition: `stride` is that of the gathering, and `indices` holds ``scatterLookahead`` more
  ///   entries behind its last line, of any value that has been an index of the last pattern or 0.
  @inlinable
  @unsafe
  public func scatter(
    _ steps: UnsafePointer<Float>, rows: Int, indices: UnsafePointer<UInt32>, stride: Int
  ) {
    for place in 0..<tableCount {
      let entries = unsafe tables[place].entries
      for image in 0..<Symmetries.count {
        let line = unsafe indices + (Symmetries.count &* place &+ image) &* stride
        for row in 0..<rows {
          let ahead = unsafe line[row &+ NTupleNetwork.scatterLookahead]
          unsafe ci_prefetch_for_writing(entries + Int(ahead))
          let entry = unsafe entries + Int(line[row])
          unsafe ci_store_relaxed(entry, ci_load_relaxed(entry) + steps[row])
        }
      }
    }
  }

  /// How many entries past the row at hand ``scatter(_:rows:indices:stride:)`` reads.
  public static var scatterLookahead: Int { 8 }
}
