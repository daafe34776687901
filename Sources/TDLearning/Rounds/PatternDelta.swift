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

  /// An empty block for `pattern`, with room for so many entries.
  init(pattern: Int, reserving capacity: Int = 0) {
    self.pattern = pattern
    keys.reserveCapacity(capacity)
    errors.reserveCapacity(capacity)
    magnitudes.reserveCapacity(capacity)
  }

  /// A block of these rows.
  ///
  /// - Precondition: `keys` ascend, and there are as many of each.
  public init(pattern: Int, keys: [UInt32], errors: [Float], magnitudes: [Float]) {
    precondition(errors.count == keys.count && magnitudes.count == keys.count)
    precondition(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "keys ascend")
    self.pattern = pattern
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
