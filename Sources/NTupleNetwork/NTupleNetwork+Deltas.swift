import CIntrinsics
import Game2048

// The parts of an update that is collected first and applied later: which entries rows move, and the
// application of sums to distinct entries.

extension NTupleNetwork {
  /// The number of patterns, each with a table in every stage.
  public var numberOfPatterns: Int { tableCount }

  /// The number of bits of a key that tells the entries of a pattern apart, in all stages: the stage
  /// above the index in memory order.
  public func keyBits(ofPattern pattern: Int) -> Int {
    precondition(0 <= pattern && pattern < tableCount, "no such pattern")
    let stageBits = Int.bitWidth - (stages.count - 1).leadingZeroBitCount
    return unsafe tables[pattern].mask.nonzeroBitCount + stageBits
  }

  /// Lists the features of `rows` rows that are entries of `pattern`, image by image and along the rows:
  /// `words[image · rows + row]` is the key of the entry in the upper half, and the bits of
  /// `errors[row]` in the lower.
  ///
  /// - Precondition: `rows` is at most the images' capacity, the images are complete, `errors` holds
  ///   as many, and `words` eight times as many; keys have at most 32 bits.
  @unsafe
  public func listFeatures(
    ofPattern pattern: Int, in images: BoardImages, rows: Int, errors: UnsafePointer<Float>,
    into words: UnsafeMutablePointer<UInt64>
  ) {
    precondition(rows <= images.capacity)
    precondition(keyBits(ofPattern: pattern) <= 32, "keys have 32 bits")
    let mask = unsafe tables[pattern].mask
    let indexBits = UInt64(mask.nonzeroBitCount)
    for image in 0..<Symmetries.count {
      let planes = unsafe images.base + image &* images.stride
      let place = unsafe words + image &* rows
      for row in 0..<rows {
        let index = unsafe ci_extract_bits(planes[row], mask)
        unsafe place[row] = index &<< 32 | UInt64(errors[row].bitPattern)
      }
      if isStaged {
        for row in 0..<rows {
          unsafe place[row] |= UInt64(images.stage(row)) &<< (32 &+ indexBits)
        }
      }
    }
  }

  /// `w += steps[i]` for the entries of `pattern` with the keys `keys[i]`.
  ///
  /// - Precondition: there are `count` keys and steps; the keys ascend, and are entries' of the pattern.
  @unsafe
  public func add(
    _ steps: UnsafePointer<Float>, toEntries keys: UnsafePointer<UInt32>, count: Int,
    ofPattern pattern: Int
  ) {
    let places = EntryPlaces(self, pattern)
    let entries = unsafe tables[pattern].entries
    for row in 0..<count {
      let ahead = unsafe places.offset(keys[min(row &+ NTupleNetwork.entriesAhead, count &- 1)])
      unsafe ci_prefetch_for_writing(entries + ahead)
      let entry = unsafe entries + places.offset(keys[row])
      let weight = unsafe weight(at: entry, stage: places.stage(keys[row]))
      unsafe ci_store_relaxed(entry, weight + steps[row])
    }
  }

  /// `w += min(1, gain · |E| / A) · steps[i]`, then `E = memory · E + errors[i]` and
  /// `A = memory · A + magnitudes[i]`, for the entries of `pattern` with the keys `keys[i]`; the ratio is
  /// 1 where A is 0.
  ///
  /// - Precondition: there are `count` of each; the keys ascend, and are entries' of the pattern;
  ///   `coherence` belongs to a network of this shape.
  @unsafe
  public func add(
    _ steps: UnsafePointer<Float>, errors: UnsafePointer<Float>, magnitudes: UnsafePointer<Float>,
    toEntries keys: UnsafePointer<UInt32>, count: Int, ofPattern pattern: Int,
    coherence: TemporalCoherence, rule: CoherenceRule
  ) {
    precondition(coherence.shape == shape)
    let places = EntryPlaces(self, pattern)
    let entries = unsafe tables[pattern].entries
    let offset = unsafe entries - weights.base
    let errorSums = unsafe coherence.errors.base + offset
    let magnitudeSums = unsafe coherence.absoluteErrors.base + offset
    for row in 0..<count {
      let ahead = unsafe places.offset(keys[min(row &+ NTupleNetwork.entriesAhead, count &- 1)])
      unsafe ci_prefetch_for_writing(entries + ahead)
      unsafe ci_prefetch_for_writing(errorSums + ahead)
      unsafe ci_prefetch_for_writing(magnitudeSums + ahead)
      let place = unsafe places.offset(keys[row])
      let sum = unsafe ci_load_relaxed(errorSums + place)
      let magnitude = unsafe ci_load_relaxed(magnitudeSums + place)
      let share = rule.share(error: sum, absoluteError: magnitude)
      let weight = unsafe weight(at: entries + place, stage: places.stage(keys[row]))
      unsafe ci_store_relaxed(entries + place, weight + share * steps[row])
      unsafe ci_store_relaxed(errorSums + place, rule.memory * sum + errors[row])
      unsafe ci_store_relaxed(
        magnitudeSums + place, rule.memory * magnitude + magnitudes[row])
    }
  }

  /// The weight that an update starts from: where a stage has not learned it, the one before's, which
  /// has been updated by then, since keys ascend.
  @inline(__always)
  @unsafe
  private func weight(at entry: UnsafePointer<Float>, stage: Int) -> Float {
    unsafe isStaged ? promoted(entry, stage) : ci_load_relaxed(entry)
  }

  /// How many entries ahead cache lines are asked for.
  private static let entriesAhead = 24
}

/// Where the entries of a pattern lie in the weights, by their keys.
private struct EntryPlaces {
  private let indexBits: UInt32
  private let stageStride: Int

  init(_ network: NTupleNetwork, _ pattern: Int) {
    precondition(0 <= pattern && pattern < network.tableCount, "no such pattern")
    indexBits = UInt32(unsafe network.tables[pattern].mask.nonzeroBitCount)
    stageStride = network.stageStride
  }

  /// The stage of an entry.
  @inline(__always)
  func stage(_ key: UInt32) -> Int { Int(key >> indexBits) }

  /// How far an entry lies after the first of the pattern's first table.
  @inline(__always)
  func offset(_ key: UInt32) -> Int {
    Int(key & ~(UInt32.max << indexBits)) &+ stage(key) &* stageStride
  }
}
