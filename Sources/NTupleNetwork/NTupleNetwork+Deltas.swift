import CIntrinsics
import Game2048

// The parts of an update that is collected first and applied later: which entries rows move, and the
// application of sums to distinct entries.

extension NTupleNetwork {
  /// The number of tables: one for each pattern.
  public var numberOfTables: Int { tableCount }

  /// The number of bits of an index into `table`.
  public func indexBits(ofTable table: Int) -> Int {
    precondition(0 <= table && table < tableCount, "no such table")
    return unsafe tables[table].mask.nonzeroBitCount
  }

  /// Lists the features of `rows` rows that lie in `table`, image by image and along the rows:
  /// `words[image · rows + row]` is the index of the entry in the upper half, and the bits of
  /// `errors[row]` in the lower.
  ///
  /// - Precondition: `rows` is at most the images' capacity, the images are complete, `errors` holds
  ///   as many, and `words` eight times as many.
  @unsafe
  public func listFeatures(
    ofTable table: Int, in images: BoardImages, rows: Int, errors: UnsafePointer<Float>,
    into words: UnsafeMutablePointer<UInt64>
  ) {
    precondition(rows <= images.capacity)
    precondition(0 <= table && table < tableCount, "no such table")
    let mask = unsafe tables[table].mask
    for image in 0..<Symmetries.count {
      let planes = unsafe images.base + image &* images.stride
      let place = unsafe words + image &* rows
      for row in 0..<rows {
        let index = unsafe ci_extract_bits(planes[row], mask)
        unsafe place[row] = index &<< 32 | UInt64(errors[row].bitPattern)
      }
    }
  }

  /// `w += steps[i]` for the entries `indices[i]` of `table`.
  ///
  /// - Precondition: there are `count` indices and steps; the indices are distinct, and lie in the
  ///   table.
  @unsafe
  public func add(
    _ steps: UnsafePointer<Float>, toEntries indices: UnsafePointer<UInt32>, count: Int,
    ofTable table: Int
  ) {
    precondition(0 <= table && table < tableCount, "no such table")
    let entries = unsafe tables[table].entries
    for place in 0..<count {
      let ahead = unsafe Int(indices[min(place &+ NTupleNetwork.entriesAhead, count &- 1)])
      unsafe ci_prefetch_for_writing(entries + ahead)
      let entry = unsafe entries + Int(indices[place])
      unsafe ci_store_relaxed(entry, ci_load_relaxed(entry) + steps[place])
    }
  }

  /// `w += |E| / A · steps[i]`, then `E += errors[i]` and `A += magnitudes[i]`, for the entries
  /// `indices[i]` of `table`; the ratio is 1 where A is 0.
  ///
  /// - Precondition: there are `count` of each; the indices are distinct, and lie in the table;
  ///   `coherence` belongs to a network of this shape.
  @unsafe
  public func add(
    _ steps: UnsafePointer<Float>, errors: UnsafePointer<Float>, magnitudes: UnsafePointer<Float>,
    toEntries indices: UnsafePointer<UInt32>, count: Int, ofTable table: Int,
    coherence: TemporalCoherence
  ) {
    precondition(0 <= table && table < tableCount, "no such table")
    precondition(coherence.shape == shape)
    let entries = unsafe tables[table].entries
    let offset = unsafe entries - weights.base
    let errorSums = unsafe coherence.errors.base + offset
    let magnitudeSums = unsafe coherence.absoluteErrors.base + offset
    for place in 0..<count {
      let ahead = unsafe Int(indices[min(place &+ NTupleNetwork.entriesAhead, count &- 1)])
      unsafe ci_prefetch_for_writing(entries + ahead)
      unsafe ci_prefetch_for_writing(errorSums + ahead)
      unsafe ci_prefetch_for_writing(magnitudeSums + ahead)
      let index = unsafe Int(indices[place])
      let sum = unsafe ci_load_relaxed(errorSums + index)
      let magnitude = unsafe ci_load_relaxed(magnitudeSums + index)
      let rate = magnitude == 0 ? 1 : sum.magnitude / magnitude
      let weight = unsafe ci_load_relaxed(entries + index)
      unsafe ci_store_relaxed(entries + index, weight + rate * steps[place])
      unsafe ci_store_relaxed(errorSums + index, sum + errors[place])
      unsafe ci_store_relaxed(magnitudeSums + index, magnitude + magnitudes[place])
    }
  }

  /// How many entries ahead cache lines are asked for.
  private static let entriesAhead = 24
}
