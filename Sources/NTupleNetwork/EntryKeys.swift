import CIntrinsics
import Game2048

/// The keys that tell the entries of a pattern apart in all stages: the stage above the index in memory
/// order, in 32 bits.
@usableFromInline
struct EntryKeys {
  @usableFromInline let indexBits: UInt32

  /// - Precondition: the network has such a pattern.
  @inlinable
  init(_ network: NTupleNetwork, _ pattern: Int) {
    precondition(0 <= pattern && pattern < network.tableCount, "no such pattern")
    indexBits = UInt32(truncatingIfNeeded: unsafe network.tables[pattern].mask.nonzeroBitCount)
  }

  /// The stage of an entry.
  @inlinable
  @inline(__always)
  func stage(_ key: UInt32) -> Int { Int(key >> indexBits) }

  /// The index of an entry in its table.
  @inlinable
  @inline(__always)
  func index(_ key: UInt32) -> Int { Int(key & ~(UInt32.max << indexBits)) }
}

extension NetworkShape {
  /// The number of keys of a pattern's entries, in all stages; keys are less than it.
  package func keyCount(ofPattern pattern: Int) -> Int {
    stages.count << (4 * patterns[pattern].cells.count)
  }
}

extension NTupleNetwork {
  /// The number of patterns, each with a table in every stage.
  package var numberOfPatterns: Int { tableCount }

  /// The number of bits of the keys of a pattern's entries.
  package func keyBits(ofPattern pattern: Int) -> Int {
    Int.bitWidth - (shape.keyCount(ofPattern: pattern) - 1).leadingZeroBitCount
  }

  /// Lists the features of `rows` rows that are entries of `pattern`, image by image and along the rows:
  /// `words[image · rows + row]` is the key of the entry in the upper half, and the bits of
  /// `errors[row]` in the lower.
  ///
  /// - Precondition: `rows` is at most the images' capacity, the images are complete, `errors` holds
  ///   as many, and `words` eight times as many; keys have at most 32 bits.
  @unsafe
  package func listFeatures(
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
}
