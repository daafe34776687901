import Basics

/// The probabilities of one layer, without those that are zero.
///
/// The layer has a bit for each board, the number of set bits before every eighth word, and a probability for
/// each set bit.
struct TableLayer: Sendable {
  /// The number of boards, and of those with a probability.
  let size: Int
  let entryCount: Int

  /// The words of bits after which the bits are counted.
  static let wordsPerCount = 8

  var wordCount: Int { (size + 63) / 64 }
  var countCount: Int { wordCount / TableLayer.wordsPerCount + 1 }
  /// The places of the parts, in bytes.
  var countsOffset: Int { 8 * wordCount }
  var valuesOffset: Int { countsOffset + 4 * countCount }
  /// The length, a multiple of 8.
  var byteCount: Int { (valuesOffset + 2 * entryCount + 7) / 8 * 8 }

  /// Returns the layer of probabilities, as its bytes in a file.
  static func packed(
    _ values: LayerMemory<UInt16>
  ) -> (layer: TableLayer, bytes: LayerMemory<UInt8>) {
    let layer = TableLayer(size: values.count, entryCount: values.nonzeroCount)
    let bytes = LayerMemory<UInt8>(count: layer.byteCount)
    let start = unsafe UnsafeMutableRawPointer(bytes.base)
    let words = unsafe start.assumingMemoryBound(to: UInt64.self)
    let counts = unsafe (start + layer.countsOffset).assumingMemoryBound(to: UInt32.self)
    let entries = unsafe (start + layer.valuesOffset).assumingMemoryBound(to: UInt16.self)
    var entry = 0
    for number in 0..<values.count {
      if number % (64 * wordsPerCount) == 0 {
        unsafe counts[number / (64 * wordsPerCount)] = UInt32(entry)
      }
      let value = unsafe values.base[number]
      if value == 0 { continue }
      unsafe words[number >> 6] |= 1 << UInt64(number & 63)
      unsafe entries[entry] = value
      entry += 1
    }
    return (layer, bytes)
  }

  /// Returns the probability of a board; nil if it has none.
  ///
  /// - Parameters:
  ///   - number: The number of the board in the layer.
  ///   - start: The first byte of the layer, with ``byteCount`` bytes behind it.
  @inline(__always)
  @unsafe
  func value(_ number: Int, at start: UnsafeRawPointer) -> UInt16? {
    let word = number >> 6
    let bits = unsafe start.load(fromByteOffset: 8 &* word, as: UInt64.self)
    let bit: UInt64 = 1 << UInt64(number & 63)
    if bits & bit == 0 { return nil }
    let block = word / TableLayer.wordsPerCount
    var entry = unsafe Int(
      start.load(fromByteOffset: countsOffset &+ 4 &* block, as: UInt32.self))
    for before in (block &* TableLayer.wordsPerCount)..<word {
      entry &+= unsafe start.load(fromByteOffset: 8 &* before, as: UInt64.self).nonzeroBitCount
    }
    entry &+= (bits & (bit &- 1)).nonzeroBitCount
    // A damaged file may count more bits than it has probabilities.
    guard entry < entryCount else { return nil }
    return unsafe start.load(fromByteOffset: valuesOffset &+ 2 &* entry, as: UInt16.self)
  }
}
