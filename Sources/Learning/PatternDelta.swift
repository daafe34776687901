import NTupleNetwork

/// A compact block with the errors that one lane's round has for the entries of one pattern.
///
/// Row `i` belongs to the entry with the key `keys[i]`. It holds the sum ΔE of the errors of all features
/// that read this entry, and the sum ΔA of their magnitudes, in points. Entries without errors take no
/// space. A block contains neither step sizes nor coherences; these belong to the weights that all lanes
/// played on.
///
/// A block does not refer to a network, so it could come from another machine that plays on the same
/// weights. `DeltaCombiner` adds up the blocks of a round in the order of the lanes.
public struct PatternDelta: Equatable, Sendable {
  /// The index of the pattern in the shape of the network.
  public let pattern: Int
  /// The keys of the entries, ascending and distinct: the stage above the index in memory order (see
  /// `IndexLayout`).
  public private(set) var keys: [UInt32] = []
  /// The sum ΔE of every entry, in points.
  public private(set) var errors: [Float] = []
  /// The sum ΔA of every entry, in points.
  public private(set) var magnitudes: [Float] = []

  /// The number of keys of the pattern. Every key is less than this number.
  let keyCount: Int

  /// Creates an empty block, reserving capacity for some entries.
  ///
  /// - Precondition: The shape has a pattern with this index.
  init(pattern: Int, of shape: NetworkShape, reserving capacity: Int = 0) {
    self.pattern = pattern
    keyCount = shape.keyCount(ofPattern: pattern)
    keys.reserveCapacity(capacity)
    errors.reserveCapacity(capacity)
    magnitudes.reserveCapacity(capacity)
  }

  /// Creates a block from another process.
  ///
  /// Sums may be infinite or not a number, as on a rank whose weights have diverged.
  ///
  /// - Parameters:
  ///   - pattern: The index of the pattern in `shape`.
  ///   - shape: The shape of the network that the block is for.
  ///   - keys: The keys of the entries, ascending and distinct.
  ///   - errors: The sum ΔE of every entry, in points.
  ///   - magnitudes: The sum ΔA of every entry, in points.
  /// - Throws: `PatternDeltaError` unless the shape has the pattern, the three arrays have the same
  ///   count, and keys ascend and belong to entries.
  public init(
    pattern: Int, of shape: NetworkShape, keys: [UInt32], errors: [Float], magnitudes: [Float]
  ) throws(PatternDeltaError) {
    guard shape.patterns.indices.contains(pattern) else { throw .noSuchPattern(pattern) }
    guard errors.count == keys.count, magnitudes.count == keys.count else { throw .unequalCounts }
    let keyCount = shape.keyCount(ofPattern: pattern)
    var next = 0
    for row in keys.indices {
      let key = Int(keys[row])
      guard key >= next else { throw .keyNotAscending(row: row) }
      guard key < keyCount else { throw .noSuchEntry(row: row, key: keys[row]) }
      next = key + 1
    }
    self.pattern = pattern
    self.keyCount = keyCount
    self.keys = keys
    self.errors = errors
    self.magnitudes = magnitudes
  }

  /// The number of entries in the block.
  public var count: Int { keys.count }

  /// Replaces the block with sums over the first `count` words of a sorter, whose lower halves are
  /// errors.
  ///
  /// The errors of an entry are summed in the order of the words. The function does not allocate memory
  /// if the capacity suffices.
  mutating func replace(withSortedWordsOf sorter: WordSorter, count: Int, scratch: DeltaScratch) {
    precondition(count <= sorter.capacity && count <= scratch.capacity)
    let words = unsafe sorter.words
    let (keys, errors, magnitudes) = unsafe (
      scratch.keys, scratch.errors.base, scratch.magnitudes.base
    )
    var place = -1
    var (error, magnitude): (Float, Float) = (0, 0)
    // A value that differs from every key, because keys have at most 32 bits.
    var last = UInt64.max
    for row in 0..<count {
      let word = unsafe words[row]
      let (key, own) = (word &>> 32, Float(bitPattern: UInt32(truncatingIfNeeded: word)))
      // Without branches, because a processor cannot predict well which keys are equal.
      let isNew = key != last
      place &+= isNew ? 1 : 0
      error = (isNew ? 0 : error) + own
      magnitude = (isNew ? 0 : magnitude) + own.magnitude
      unsafe keys[place] = UInt32(truncatingIfNeeded: key)
      unsafe errors[place] = error
      unsafe magnitudes[place] = magnitude
      last = key
    }
    self.keys.removeAll(keepingCapacity: true)
    self.errors.removeAll(keepingCapacity: true)
    self.magnitudes.removeAll(keepingCapacity: true)
    unsafe self.keys.append(contentsOf: UnsafeBufferPointer(start: keys, count: place + 1))
    unsafe self.errors.append(contentsOf: UnsafeBufferPointer(start: errors, count: place + 1))
    unsafe self.magnitudes.append(
      contentsOf: UnsafeBufferPointer(start: magnitudes, count: place + 1))
  }
}

/// The reason why external data is not a valid block.
public enum PatternDeltaError: Error, Equatable {
  /// The network has no pattern with this index.
  case noSuchPattern(Int)
  /// The counts of keys, errors and magnitudes differ.
  case unequalCounts
  /// The key of a row is not greater than the key of the row before.
  case keyNotAscending(row: Int)
  /// No entry of the pattern has the key of a row.
  case noSuchEntry(row: Int, key: UInt32)
}

// Numbers as bytes in the byte order of the machine, as ranks send them to each other.

extension [UInt8] {
  /// Appends the bytes of numbers.
  package mutating func append<Number: BitwiseCopyable>(numbers: [Number]) {
    unsafe numbers.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}

extension ArraySlice<UInt8> {
  /// Removes and returns the numbers at the start.
  ///
  /// - Precondition: The slice has the bytes of `count` numbers.
  package mutating func removeNumbers<Number: BitwiseCopyable>(
    _ count: Int, of type: Number.Type
  ) -> [Number] {
    // The initializer below would write to the storage that all empty arrays share, which is a data race.
    if count == 0 { return [] }
    let byteCount = count * MemoryLayout<Number>.stride
    precondition(byteCount <= self.count, "a message that ends too early")
    defer { removeFirst(byteCount) }
    return unsafe withUnsafeBytes { bytes in
      unsafe [Number](unsafeUninitializedCapacity: count) { numbers, initializedCount in
        unsafe UnsafeMutableRawBufferPointer(numbers)
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
        initializedCount = count
      }
    }
  }
}
