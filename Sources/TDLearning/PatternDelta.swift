import NTupleNetwork

/// What one lane's round adds to the entries of one pattern: a compact block of those it touched.
///
/// Row `i` is for the entry with the key `keys[i]`, with the sum ΔE of the errors of all features that
/// were that entry, and the sum ΔA of their magnitudes, in points. Entries that were not touched take
/// no room. Step sizes are no part of it: whoever applies blocks knows them, and the coherences,
/// which belong to the weights that all lanes played on.
///
/// A block is a value without reference to a network, so that it could come from another machine that
/// plays on the same weights. ``DeltaCombiner`` adds up the blocks of a round, in the order of the lanes.
public struct PatternDelta: Equatable, Sendable {
  /// The place of the pattern in the network's shape.
  public let pattern: Int
  /// The entries, ascending and distinct: the stage above the index in memory order (see
  /// `IndexLayout`).
  public private(set) var keys: [UInt32] = []
  /// ΔE of every entry, in points.
  public private(set) var errors: [Float] = []
  /// ΔA of every entry, in points.
  public private(set) var magnitudes: [Float] = []

  /// The keys of the pattern's entries are less than this.
  let keyCount: Int

  /// An empty block for a pattern of a network, with capacity for this many entries.
  ///
  /// - Precondition: the shape has the pattern.
  init(pattern: Int, of shape: NetworkShape, reserving capacity: Int = 0) {
    self.pattern = pattern
    keyCount = shape.keyCount(ofPattern: pattern)
    keys.reserveCapacity(capacity)
    errors.reserveCapacity(capacity)
    magnitudes.reserveCapacity(capacity)
  }

  /// A block from another process, or from a file.
  ///
  /// - Parameters:
  ///   - pattern: the place of the pattern in `shape`.
  ///   - shape: the shape of the network that the block is for.
  /// - Throws: ``PatternDeltaError`` unless the shape has the pattern, there are as many errors and
  ///   magnitudes as keys, keys ascend and are those of entries, sums are finite, and magnitudes are not
  ///   negative.
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
      guard errors[row].isFinite, magnitudes[row].isFinite, magnitudes[row] >= 0 else {
        throw .invalidSum(row: row)
      }
      next = key + 1
    }
    self.pattern = pattern
    self.keyCount = keyCount
    self.keys = keys
    self.errors = errors
    self.magnitudes = magnitudes
  }

  /// The number of entries touched.
  public var count: Int { keys.count }

  /// Holds the sums of the first `count` of a sorter's words, whose lower halves are errors.
  ///
  /// Errors of an entry are summed in the order of the words. Does not allocate, if there is room.
  mutating func replace(withSortedWordsOf sorter: WordSorter, count: Int, scratch: DeltaScratch) {
    precondition(count <= sorter.capacity && count <= scratch.capacity)
    let words = unsafe sorter.words
    let (keys, errors, magnitudes) = unsafe (
      scratch.keys, scratch.errors.base, scratch.magnitudes.base
    )
    var place = -1
    var (error, magnitude): (Float, Float) = (0, 0)
    // No key has 64 bits.
    var last = UInt64.max
    for row in 0..<count {
      let word = unsafe words[row]
      let (key, own) = (word &>> 32, Float(bitPattern: UInt32(truncatingIfNeeded: word)))
      // Without branches: which keys are equal is hard to guess.
      let isNew = key != last
      place &+= isNew ? 1 : 0
      error = (isNew ? 0 : error) + own
      magnitude = (isNew ? 0 : magnitude) + own.magnitude
      unsafe keys[place] = UInt32(truncatingIfNeeded: key)
      unsafe errors[place] = error
      unsafe magnitudes[place] = magnitude
      last = key
    }
    replace(with: scratch, count: place + 1)
  }

  private mutating func replace(with scratch: DeltaScratch, count: Int) {
    keys.removeAll(keepingCapacity: true)
    errors.removeAll(keepingCapacity: true)
    magnitudes.removeAll(keepingCapacity: true)
    unsafe keys.append(contentsOf: UnsafeBufferPointer(start: scratch.keys, count: count))
    unsafe errors.append(contentsOf: UnsafeBufferPointer(start: scratch.errors.base, count: count))
    unsafe magnitudes.append(
      contentsOf: UnsafeBufferPointer(start: scratch.magnitudes.base, count: count))
  }
}

/// The reason why numbers from outside are not a block.
public enum PatternDeltaError: Error, Equatable {
  /// The network has no pattern of this number.
  case noSuchPattern(Int)
  /// There are not as many errors and magnitudes as keys.
  case unequalCounts
  /// The key of a row is not above that of the row before.
  case keyNotAscending(row: Int)
  /// No entry of the pattern has the key of a row.
  case noSuchEntry(row: Int, key: UInt32)
  /// A sum of a row is not finite, or its magnitude is negative.
  case invalidSum(row: Int)
}
