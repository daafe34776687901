#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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
