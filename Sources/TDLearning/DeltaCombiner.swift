import DenseKernels
import NTupleNetwork

/// Adds up the blocks that all lanes have for a pattern, and moves the weights of its tables by the sums.
///
/// With ΔE and ΔA the sums over the lanes, in the order in which the blocks were added,
///
///     w += (α / m) · ΔE
///
/// for temporal difference learning, and for temporal coherence with the gain α and the memory μ of its rule
///
///     w += min(1, α · |E| / A) / m · ΔE;   E ← μE + ΔE;   A ← μA + ΔA
///
/// with the sums before the round in the first. The union of the entries is a dense vector: every block
/// becomes a row of it, and rows are added by `saxpy`. Factors are 1, so that no kernel rounds in another
/// way than plain Swift.
///
/// Thread safety: patterns are independent, so each thread may have a combiner of its own and work on
/// patterns that no other does.
public struct DeltaCombiner {
  private let network: NTupleNetwork
  private let kernels: any ErrorKernels
  private let scratch: DeltaScratch
  private var offsets: [Int] = []

  /// A combiner for blocks of `network`.
  ///
  /// - Parameter scratch: room for the features of all lanes.
  public init(network: NTupleNetwork, backend: KernelBackend, scratch: DeltaScratch) {
    self.network = network
    self.scratch = scratch
    kernels = backend.makeKernels(rowCapacity: 0, returns: .oneStep)
  }

  /// Applies the blocks of `pattern`.
  ///
  /// - Parameters:
  ///   - lanes: how many blocks there are.
  ///   - delta: the block of a lane; asked for more than once.
  ///   - rule: how far the weights move; its tables belong to the network's shape.
  /// - Precondition: the blocks are of this pattern, and their entries fit into the scratch together.
  public mutating func apply(
    pattern: Int, lanes: Int, rule: any UpdateRule, delta: (_ lane: Int) -> PatternDelta
  ) {
    let count = findUnion(pattern: pattern, lanes: lanes, delta)
    add(lanes: lanes, count: count, to: scratch.errors) { delta($0).errors }
    if rule.readsMagnitudes {
      add(lanes: lanes, count: count, to: scratch.magnitudes) { delta($0).magnitudes }
    }
    kernels.scale(
      scratch.errors, by: rule.largestShare / Float(network.featureCount), count: count,
      into: scratch.steps)
    unsafe rule.apply(
      to: network,
      FeatureSums(
        pattern: pattern, count: count, keys: scratch.keys, steps: scratch.steps.base,
        errors: scratch.errors.base, magnitudes: scratch.magnitudes.base))
  }

  /// Finds the entries that any block has, and the rank of every block's entries among them.
  ///
  /// - Returns: the number of entries.
  private mutating func findUnion(
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

  /// Makes `sums` the sum of the lanes' values over the union, lane by lane.
  private func add(
    lanes: Int, count: Int, to sums: FloatBuffer, _ values: (_ lane: Int) -> [Float]
  ) {
    let row = scratch.row
    unsafe sums.base.update(repeating: 0, count: count)
    for lane in 0..<lanes {
      let ranks = unsafe scratch.ranks + offsets[lane]
      unsafe values(lane).withUnsafeBufferPointer { values in
        for place in 0..<values.count { unsafe row.base[Int(ranks[place])] = values[place] }
        kernels.add(row, to: sums, count: count)
        for place in 0..<values.count { unsafe row.base[Int(ranks[place])] = 0 }
      }
    }
  }
}
