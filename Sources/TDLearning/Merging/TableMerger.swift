import DenseKernels
import Dispatch
import NTupleNetwork
import Synchronization

/// Merges what several ranks have learned on copies of one network.
///
/// Each rank keeps the tables as they were when all ranks last agreed: the base. To merge, it sends what has
/// changed since, and receives what has changed on the others. All ranks compute the same new tables from that,
/// so that their copies are equal again. The ``MergeRule`` decides about weights. The sums of temporal coherence
/// add up: they are those of the errors of all ranks. Sums that fade cannot add up. Of them, the ranks
/// that have changed an entry keep the mean.
///
/// A weight that a later stage has not learned counts as the promoted weight that it starts from.
///
/// Thread safety: at barriers only.
///
/// Safety: (1) all tables have an entry for every weight of the shape, so an offset below the number of entries
/// lies in each of them; (2) the parts that threads work on at the same time are disjoint.
package final class TableMerger: Sendable {
  /// The network that the rank plays on, whose updates are marked.
  package let network: NTupleNetwork
  private let marks: UpdateMarks
  private let rule: MergeRule
  private let sumsFade: Bool
  private let threads: Int
  /// The weights and then the tables of the update rules, by name.
  private let tables: [SharedWeights]
  /// What they were when all ranks last agreed.
  private let base: [SharedWeights]
  private let baseNetwork: NTupleNetwork
  /// The place of the sums of magnitudes of the errors among the tables; nil without temporal coherence.
  private let magnitudes: Int?

  /// The entries that are sent at once, which bounds the memory of a merge.
  private static let partCount = 1 << 22
  /// The least l of a rank that has changed a weight.
  private static let leastAmount: Float = 1e-20

  /// Creates a merger of tables that are equal on all ranks.
  ///
  /// - Parameter sumsFade: Whether the sums of temporal coherence fade, see `TemporalCoherence`.
  package init(
    _ network: NTupleNetwork, _ accumulators: Accumulators, rule: MergeRule, sumsFade: Bool = false,
    threads: Int = 1
  ) {
    let names = accumulators.tables.keys.sorted()
    tables = [network.weights] + names.map { accumulators[$0] }
    base = tables.map { table in
      let copy = SharedWeights(count: table.count, usesLargePages: false)
      copy.copy(from: table)
      return copy
    }
    baseNetwork = NTupleNetwork(network.shape, weights: base[0])
    marks = UpdateMarks(entryCount: network.weights.count)
    self.network = NTupleNetwork(network.shape, weights: network.weights, marks: marks)
    self.rule = rule
    self.sumsFade = sumsFade
    self.threads = threads
    magnitudes = names.firstIndex(of: TemporalCoherence.magnitudeName).map { $0 + 1 }
  }

  /// Returns the memory that a merger takes besides the tables of a run, in bytes.
  package static func byteCount(_ shape: NetworkShape, accumulators: Int) -> Int {
    shape.byteCount * (1 + accumulators) + shape.byteCount / UpdateMarks.blockCount
  }

  /// Lets weights inherit, in the network and in the base; see `NTupleNetwork.inheritWeights(updated:)`.
  ///
  /// - Precondition: There are sums of temporal coherence, and no entry has changed since the last merge.
  package func inheritWeights() {
    network.inheritWeights(updated: tables[magnitudes!])
    baseNetwork.inheritWeights(updated: base[magnitudes!])
  }

  /// Merges the tables of all ranks, which call this together.
  ///
  /// - Parameter gather: Sends bytes to all ranks, and returns what each of them sent.
  /// - Returns: The number of bytes that all ranks sent.
  /// - Complexity: O(*m* + *k*), where *m* is the number of marks, and *k* the number of entries that the ranks
  ///   have changed.
  package func merge(gather: ([UInt8]) -> [[UInt8]]) -> Int {
    let perPart = TableMerger.partCount / UpdateMarks.blockCount
    // Weights of later stages come first, one part at a time, because those of earlier stages are their bases.
    let parts =
      stride(from: 0, to: marks.count, by: perPart).map {
        $0..<min($0 + perPart, marks.count)
      }.reversed() as [Range<Int>]
    let own = inParallel(parts) { takeChanges(in: $0).bytes }
    var bytes = 0
    let atOnce = network.shape.stages.count == 1 ? threads : 1
    for first in stride(from: 0, to: own.count, by: atOnce) {
      let messages = own[first..<min(first + atOnce, own.count)].map(gather)
      bytes += messages.joined().reduce(0) { $0 + $1.count }
      _ = inParallel(Array(zip(messages, parts[first...]))) { messages, blocks in
        apply(messages.map { TableChanges($0, tables: tables.count) }, to: blocks)
      }
    }
    return bytes
  }

  /// Returns what `transform` returns for each of the inputs, which several threads share.
  private func inParallel<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ transform: @Sendable (Input) -> Output
  ) -> [Output] {
    if threads == 1 || inputs.count == 1 { return inputs.map(transform) }
    let outputs = Mutex([Output?](repeating: nil, count: inputs.count))
    DispatchQueue.concurrentPerform(iterations: inputs.count) { place in
      let output = transform(inputs[place])
      outputs.withLock { $0[place] = output }
    }
    return outputs.withLock { $0.map { $0! } }
  }

  /// Returns the changes of the marked blocks among some, and removes the marks.
  private func takeChanges(in blocks: Range<Int>) -> TableChanges {
    var changes = TableChanges(tables: tables.count)
    for block in blocks where marks.take(block) {
      let entries = entries(ofBlock: block)
      let mask = differences(in: entries)
      if mask == 0 { continue }
      changes.blocks.append(UInt32(block))
      changes.masks.append(mask)
      var left = mask
      while left != 0 {
        let entry = entries.lowerBound + left.trailingZeroBitCount
        left &= left &- 1
        unsafe changes.values.append(tables[0].base[entry] - baseWeight(entry))
        for table in 1..<tables.count {
          unsafe changes.values.append(tables[table].base[entry] - base[table].base[entry])
        }
      }
    }
    return changes
  }

  private func entries(ofBlock block: Int) -> Range<Int> {
    let start = block * UpdateMarks.blockCount
    return start..<min(start + UpdateMarks.blockCount, marks.entryCount)
  }

  /// Returns the entries of a block that differ from the base in some table.
  private func differences(in entries: Range<Int>) -> UInt64 {
    var bits = InlineArray<64, UInt32>(repeating: 0)
    for (table, base) in zip(tables, base) {
      let (own, others) = unsafe (table.base + entries.lowerBound, base.base + entries.lowerBound)
      for place in 0..<entries.count {
        unsafe bits[place] |= own[place].bitPattern ^ others[place].bitPattern
      }
    }
    var mask: UInt64 = 0
    for place in 0..<64 where bits[place] != 0 { mask |= 1 << UInt64(place) }
    return mask
  }

  /// Returns the weight of the base that is read at an entry.
  private func baseWeight(_ entry: Int) -> Float {
    let shape = network.shape
    if shape.stages.count == 1 || shape.stages.promotion == .none {
      return unsafe base[0].base[entry]
    }
    return baseNetwork.weight(readAt: entry, stage: entry / shape.stageStride)
  }

  /// Applies the changes of all ranks, in their order, to some blocks of the tables and of the base.
  private func apply(_ changes: [TableChanges], to blocks: Range<Int>) {
    var scratch = MergeScratch(tables: tables.count)
    // The ends of what is left of each list. The last blocks come first, as in `merge(gather:)`.
    var ends = changes.map { (block: $0.blocks.count, value: $0.values.count) }
    var end = blocks.upperBound
    while end > blocks.lowerBound {
      let start = max(blocks.lowerBound, end - MergeScratch.blockCount)
      for rank in changes.indices { add(changes[rank], from: start, &ends[rank], to: &scratch) }
      for block in (start..<end).reversed() {
        finish(block, block - start, &scratch, changes.count)
      }
      end = start
    }
  }

  /// Adds the last changes of a rank, down to the block `start`, to the sums.
  private func add(
    _ changes: TableChanges, from start: Int, _ end: inout (block: Int, value: Int),
    to scratch: inout MergeScratch
  ) {
    let (learned, ranks) = unsafe (scratch.learned.base, scratch.ranks.base)
    let width = tables.count
    // Sums that fade do not say how much was learned.
    let growth = rule == .weighted && !sumsFade ? magnitudes : nil
    unsafe changes.values.withUnsafeBufferPointer { values in
      while end.block > 0, Int(changes.blocks[end.block - 1]) >= start {
        end.block -= 1
        let block = Int(changes.blocks[end.block]) - start
        var left = changes.masks[end.block]
        end.value -= left.nonzeroBitCount * width
        var row = unsafe values.baseAddress! + end.value
        scratch.masks[block] |= left
        while left != 0 {
          let place = block * UpdateMarks.blockCount + left.trailingZeroBitCount
          left &= left &- 1
          // A rank that changed a weight learned at least a little, even if its sum is too large to grow.
          let amount = growth.map { max(unsafe row[$0], TableMerger.leastAmount) } ?? 1
          unsafe learned[place] += amount
          unsafe ranks[place] += 1
          let sums = unsafe scratch.sums.base + place * width
          unsafe sums[0] += amount * row[0]
          for table in 1..<width { unsafe sums[table] += row[table] }
          unsafe row += width
        }
      }
    }
  }

  /// Writes the new content of a block whose sums are complete, and clears them; `index` is that of its sums.
  private func finish(_ block: Int, _ index: Int, _ scratch: inout MergeScratch, _ ranks: Int) {
    let width = tables.count
    var left = scratch.masks[index]
    scratch.masks[index] = 0
    while left != 0 {
      let entry = block * UpdateMarks.blockCount + left.trailingZeroBitCount
      let place = index * UpdateMarks.blockCount + left.trailingZeroBitCount
      left &= left &- 1
      let sums = unsafe scratch.sums.base + place * width
      let divisor: Float =
        switch rule {
        case .mean: Float(ranks)
        case .sum: 1
        case .weighted: scratch.learned[place]
        }
      unsafe set(0, entry, baseWeight(entry) + sums[0] / divisor)
      for table in 1..<width {
        let change = unsafe sums[table] / (sumsFade ? scratch.ranks[place] : 1)
        unsafe set(table, entry, base[table].base[entry] + change)
      }
      unsafe sums.update(repeating: 0, count: width)
      (scratch.learned[place], scratch.ranks[place]) = (0, 0)
    }
  }

  /// Sets an entry of a table and of its base.
  @inline(__always)
  private func set(_ table: Int, _ entry: Int, _ value: Float) {
    unsafe tables[table].base[entry] = value
    unsafe base[table].base[entry] = value
  }
}

/// The sums over the ranks for the entries of some blocks, all 0 between uses.
///
/// Safety: the regions are as large as the number of blocks says; one thread uses them, with places below their
/// sizes.
@safe
private struct MergeScratch: ~Copyable {
  /// The number of blocks, whose sums fit into a cache.
  static let blockCount = 512

  /// The entries of each block that a rank has changed.
  var masks = [UInt64](repeating: 0, count: blockCount)
  /// For each entry the sums over the ranks, `[entry, table]`, row-major; that of weights is weighted.
  let sums: FloatBuffer
  /// For each entry the sum of the weights of the ranks that have changed it.
  let learned = FloatBuffer(count: blockCount * UpdateMarks.blockCount)
  /// For each entry the number of these ranks.
  let ranks = FloatBuffer(count: blockCount * UpdateMarks.blockCount)

  init(tables: Int) { sums = FloatBuffer(count: learned.count * tables) }
}
