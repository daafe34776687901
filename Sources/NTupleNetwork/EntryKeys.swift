import CIntrinsics
import Game2048

// A key identifies an entry of a pattern in all stages. It has 32 bits: the stage in the upper bits and
// the index in memory order below it.

extension NetworkShape {
  /// Returns the number of keys of a pattern in all stages. Every key is less than this number.
  package func keyCount(ofPattern pattern: Int) -> Int {
    stages.count << (4 * patterns[pattern].cells.count)
  }
}

extension NTupleNetwork {
  /// Returns the number of bits that the keys of a pattern need.
  package func keyBits(ofPattern pattern: Int) -> Int {
    Int.bitWidth - (shape.keyCount(ofPattern: pattern) - 1).leadingZeroBitCount
  }

  /// Lists the features of `pattern` in the first `rows` rows, image by image.
  ///
  /// `words[image · rows + row]` has the key of the entry in its upper half and the bits of
  /// `errors[row]` in its lower half.
  ///
  /// - Precondition: `rows` is at most the capacity of the images, the images are complete, `errors`
  ///   holds `rows` floats, `words` has room for `8 · rows` words, and keys have at most 32 bits.
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
