import NTupleNetwork

/// The update of the tables of a pattern by the blocks of all lanes.
///
/// Let ΔE and ΔA be the sums over the lanes, added in the order of the lanes. Temporal difference
/// learning computes
///
///     w += (α / m) · ΔE
///
/// and temporal coherence
///
///     w += min(1, α · |E| / A) / m · ΔE;   E += ΔE;   A += ΔA
///
/// where the first formula uses the sums from before the round. The union of the entries of all blocks
/// is a dense vector. Every block becomes a row of this length, and `saxpy` adds the rows. All factors
/// are 1, so that every processor rounds alike.
///
/// Thread safety: patterns are independent, so each thread may use a separate combiner for patterns that
/// no other thread works on.
package final class DeltaCombiner {
  private let network: NTupleNetwork
  /// The memory for the features of all lanes. While no block is applied, it may serve other uses.
  package let scratch: DeltaScratch
  private var offsets: [Int] = []

  /// Creates a combiner for blocks of `network`, with memory for the features of all lanes.
  package init(network: NTupleNetwork, scratch: DeltaScratch) {
    self.network = network
    self.scratch = scratch
  }

  /// Updates the tables of `pattern` by the blocks of all lanes.
  ///
  /// - Parameters:
  ///   - pattern: The index of the pattern in the shape of the network.
  ///   - lanes: The number of blocks.
  ///   - rule: The update rule, which must fit the shape of the network.
  ///   - delta: Returns the block of a lane. It is called more than once per lane.
  /// - Precondition: The blocks belong to this pattern, and all their entries fit into the scratch
  ///   memory together.
  package func apply(
    pattern: Int, lanes: Int, rule: any UpdateRule, delta: (_ lane: Int) -> PatternDelta
  ) {
    let count = findUnion(pattern: pattern, lanes: lanes, delta)
    add(lanes: lanes, count: count, to: scratch.errors) { delta($0).errors }
    if rule.readsMagnitudes {
      add(lanes: lanes, count: count, to: scratch.magnitudes) { delta($0).magnitudes }
    }
    DenseKernels.scale(
      scratch.errors, by: rule.largestShare / Float(network.featureCount), count: count,
      into: scratch.steps)
    unsafe rule.apply(
      to: network,
      FeatureSums(
        pattern: pattern, count: count, keys: scratch.keys, steps: scratch.steps.base,
        errors: scratch.errors.base, magnitudes: scratch.magnitudes.base))
  }

  /// Finds the union of the entries of all blocks, and the rank in it of every entry of a block.
  ///
  /// - Returns: The number of entries in the union.
  private func findUnion(
    pattern: Int, lanes: Int, _ delta: (_ lane: Int) -> PatternDelta
  ) -> Int {
    let sorter = scratch.sorter
    let keyCount = network.shape.keyCount(ofPattern: pattern)
    var total = 0
    offsets.removeAll(keepingCapacity: true)
    for lane in 0..<lanes {
      let block = delta(lane)
      precondition(
        block.pattern == pattern && block.keyCount == keyCount, "a block of another pattern")
      precondition(total + block.count <= scratch.capacity)
      offsets.append(total)
      unsafe block.keys.withUnsafeBufferPointer { keys in
        for place in 0..<keys.count {
          unsafe sorter.words[total &+ place] =
            UInt64(keys[place]) &<< 32 | UInt64(total &+ place)
        }
      }
      total += block.count
    }
    sorter.sort(count: total, keyBits: network.keyBits(ofPattern: pattern))
    let words = unsafe sorter.words
    let (keys, ranks) = unsafe (scratch.keys, scratch.ranks)
    var rank = -1
    var last = UInt64.max
    for place in 0..<total {
      let word = unsafe words[place]
      let key = word &>> 32
      rank &+= key != last ? 1 : 0
      unsafe keys[rank] = UInt32(truncatingIfNeeded: key)
      unsafe ranks[Int(truncatingIfNeeded: word & 0xFFFF_FFFF)] = UInt32(truncatingIfNeeded: rank)
      last = key
    }
    return rank + 1
  }

  /// Sets `sums` to the sums of the values of all lanes over the union, lane by lane.
  private func add(
    lanes: Int, count: Int, to sums: FloatBuffer, _ values: (_ lane: Int) -> [Float]
  ) {
    let row = scratch.row
    unsafe sums.base.update(repeating: 0, count: count)
    for lane in 0..<lanes {
      let ranks = unsafe scratch.ranks + offsets[lane]
      unsafe values(lane).withUnsafeBufferPointer { values in
        for place in 0..<values.count { unsafe row.base[Int(ranks[place])] = values[place] }
        DenseKernels.add(1, times: row, to: sums, count: count)
        for place in 0..<values.count { unsafe row.base[Int(ranks[place])] = 0 }
      }
    }
  }
}

/// Scratch memory in which one thread makes and combines blocks.
///
/// It belongs to a thread, not to a lane, so that it stays in the caches of the thread.
///
/// Safety: (1) `keys` and `ranks` point to `capacity` initialised words from `init` to `deinit`;
/// (2) every user checks counts against `capacity`; (3) a scratch belongs to one thread at a time and
/// is not `Sendable`.
@safe
package final class DeltaScratch {
  /// The number of features or entries that fit.
  package let capacity: Int
  let sorter: WordSorter
  let keys: UnsafeMutablePointer<UInt32>
  let ranks: UnsafeMutablePointer<UInt32>
  let errors: FloatBuffer
  let magnitudes: FloatBuffer
  let steps: FloatBuffer
  /// All zero between uses.
  let row: FloatBuffer

  /// Allocates memory for the features of one pattern, of `lanes` lanes, in one round.
  package convenience init(lanes: Int, batchSize: Int, returns: ReturnEstimate) {
    self.init(capacity: lanes * RoundLearner.mostFeatures(batchSize: batchSize, returns: returns))
  }

  /// Returns the memory for the features of `lanes` lanes, in bytes.
  package static func byteCount(lanes: Int, batchSize: Int, returns: ReturnEstimate) -> Int {
    // Two words of the sorter, a key, a rank, and four floats.
    lanes * RoundLearner.mostFeatures(batchSize: batchSize, returns: returns) * 40
  }

  init(capacity: Int) {
    self.capacity = capacity
    sorter = WordSorter(capacity: capacity)
    unsafe keys = .allocate(capacity: capacity)
    unsafe ranks = .allocate(capacity: capacity)
    unsafe keys.initialize(repeating: 0, count: capacity)
    unsafe ranks.initialize(repeating: 0, count: capacity)
    errors = FloatBuffer(count: capacity)
    magnitudes = FloatBuffer(count: capacity)
    steps = FloatBuffer(count: capacity)
    row = FloatBuffer(count: capacity)
  }

  deinit {
    unsafe keys.deallocate()
    unsafe ranks.deallocate()
  }
}
