import Basics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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

  /// Returns the number of boards with a bit, which have a probability.
  ///
  /// - Parameter start: The first byte of the layer, with the words of bits behind it.
  @unsafe
  func bitCount(at start: UnsafeRawPointer) -> Int {
    (0..<wordCount).reduce(0) {
      unsafe $0 + start.load(fromByteOffset: 8 &* $1, as: UInt64.self).nonzeroBitCount
    }
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

/// Memory for the numbers of one layer, zero at first.
///
/// Safety: (1) `base` points at `count` elements that `init` allocates and `deinit` frees; (2) threads that
/// write at the same time write different elements, which the solver ensures: each has its own memory, or
/// its own range of places.
@safe
final class LayerMemory<Element: BitwiseCopyable>: @unchecked Sendable {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  init(count: Int) {
    guard let memory = unsafe calloc(max(1, count), MemoryLayout<Element>.stride) else {
      fatalError("cannot allocate \(count * MemoryLayout<Element>.stride) bytes for a layer")
    }
    unsafe base = memory.bindMemory(to: Element.self, capacity: count)
    self.count = count
  }

  deinit {
    unsafe free(base)
  }

  /// The bytes of the numbers, as files hold them.
  @unsafe var bytes: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(
      start: base, count: count * MemoryLayout<Element>.stride)
  }
}

/// A set of places in a layer, one bit each.
typealias LayerBits = LayerMemory<UInt64>

extension LayerMemory where Element == UInt64 {
  /// An empty set of `places` places.
  convenience init(places: Int) { self.init(count: (places + 63) / 64) }

  @inline(__always)
  func insert(_ place: Int) { unsafe base[place >> 6] |= 1 << UInt64(place & 63) }

  /// Adds all places of another set of the same layer.
  func formUnion(_ other: LayerBits) {
    for word in 0..<count { unsafe base[word] |= other.base[word] }
  }

  /// Adds all of `places` places.
  func insertAll(places: Int) {
    for place in 0..<places { insert(place) }
  }

  /// The number of places in the set.
  var population: Int {
    (0..<count).reduce(0) { unsafe $0 + base[$1].nonzeroBitCount }
  }
}

extension LayerMemory where Element == UInt16 {
  /// The number of elements that are not zero.
  var nonzeroCount: Int {
    (0..<count).reduce(0) { unsafe $0 + (base[$1] != 0 ? 1 : 0) }
  }
}
