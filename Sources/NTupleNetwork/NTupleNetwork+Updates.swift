import CIntrinsics
import Game2048

// The updates of a batch go feature by feature, and along the rows within a feature. Consecutive rows
// are consecutive boards of a game, so most often they read the same cache line. With two workers the
// line stays on one core for all of them, instead of moving to and fro with every row; and it is asked
// for in time, for writing at once, some rows ahead.

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
          let ahead = unsafe index(mask, words[row &+ BoardImages.lookahead])
          unsafe ci_prefetch_for_writing(entries + ahead)
          let entry = unsafe entries + index(mask, words[row])
          unsafe ci_store_relaxed(entry, ci_load_relaxed(entry) + steps[row])
        }
      }
    }
  }

  /// Adds `coherence · steps[row]` to every feature of each row, and accounts for `errors[row]` in
  /// the feature's coherence, which is read before.
  ///
  /// - Precondition: `rows` is at most the images' capacity, `steps` and `errors` hold as many, and
  ///   `coherence` belongs to a network of this shape.
  @inlinable
  @unsafe
  public func add(
    _ steps: UnsafePointer<Float>, errors: UnsafePointer<Float>, to images: BoardImages, rows: Int,
    coherence: TemporalCoherence
  ) {
    precondition(rows <= images.capacity)
    precondition(coherence.shape == shape)
    for place in 0..<tableCount {
      let (mask, entries) = unsafe (tables[place].mask, tables[place].entries)
      let offset = unsafe entries - weights.base
      let sums = unsafe coherence.errors.base + offset
      let magnitudes = unsafe coherence.absoluteErrors.base + offset
      for image in 0..<Symmetries.count {
        let words = unsafe images.base + image &* images.stride
        for row in 0..<rows {
          let ahead = unsafe index(mask, words[row &+ BoardImages.lookahead])
          unsafe ci_prefetch_for_writing(entries + ahead)
          unsafe ci_prefetch_for_writing(sums + ahead)
          unsafe ci_prefetch_for_writing(magnitudes + ahead)
          let feature = unsafe index(mask, words[row])
          let sum = unsafe ci_load_relaxed(sums + feature)
          let magnitude = unsafe ci_load_relaxed(magnitudes + feature)
          let rate = magnitude == 0 ? 1 : sum.magnitude / magnitude
          let weight = unsafe ci_load_relaxed(entries + feature)
          unsafe ci_store_relaxed(entries + feature, weight + rate * steps[row])
          unsafe ci_store_relaxed(sums + feature, sum + errors[row])
          unsafe ci_store_relaxed(magnitudes + feature, magnitude + errors[row].magnitude)
        }
      }
    }
  }

  /// The index of a feature within its table.
  @inlinable
  @inline(__always)
  func index(_ mask: UInt64, _ planes: UInt64) -> Int {
    Int(truncatingIfNeeded: ci_extract_bits(planes, mask))
  }
}
