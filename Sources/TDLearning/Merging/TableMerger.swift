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
/// lies in each of them; (2) the parts that threads work on at the same time are disjoint, and none is written
/// while another is read as a base.
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
  /// - Parameters:
  ///   - network: The network that learns.
  ///   - accumulators: The tables of the update rules.
  ///   - rule: The rule for weights.
  ///   - sumsFade: Whether the sums of temporal coherence fade, see `TemporalCoherence`.
  ///   - threads: The number of threads that merge.
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
    // Weights of later stages come first, because those of earlier stages are their bases.
    let parts = stride(from: 0, to: marks.count, by: perPart).map {
      $0..<min($0 + perPart, marks.count)
    }.reversed()
    let own = inParallel(Array(parts)) { takeChanges(in: $0).bytes }
    var bytes = 0
    for first in stride(from: 0, to: own.count, by: threads) {
      let messages = own[first..<min(first + threads, own.count)].map(gather)
      bytes += messages.joined().reduce(0) { $0 + $1.count }
      let contents = inParallel(messages) { messages in
        merged(messages.map { TableChanges($0, tables: tables.count) })
      }
      _ = inParallel(contents) { store($0) }
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

  /// Returns the new content of the entries that some ranks have changed.
  ///
  /// - Parameter changes: The changes of each rank, in the order of the ranks.
  private func merged(_ changes: [TableChanges]) -> TableChanges {
    var result = TableChanges(tables: tables.count)
    let width = tables.count
    // Sums that fade do not say how much was learned.
    let growth = rule == .weighted && !sumsFade ? magnitudes : nil
    // The block and the entry of each rank that come next.
    var next = [(block: Int, entry: Int)](repeating: (0, 0), count: changes.count)
    // The sums over the ranks, and for each entry of the block the sum of l and the number of ranks.
    var sums = [Float](repeating: 0, count: UpdateMarks.blockCount * width)
    var (learned, ranks) = (
      InlineArray<64, Float>(repeating: 0), InlineArray<64, Float>(repeating: 0)
    )
    func nextBlock() -> UInt32? {
      zip(changes, next).compactMap { changes, next in
        next.block < changes.blocks.count ? changes.blocks[next.block] : nil
      }.min()
    }
    while let block = nextBlock() {
      var union: UInt64 = 0
      for rank in changes.indices
      where next[rank].block < changes[rank].blocks.count
        && changes[rank].blocks[next[rank].block] == block
      {
        let mask = changes[rank].masks[next[rank].block]
        var left = mask
        var row = next[rank].entry * width
        while left != 0 {
          let place = left.trailingZeroBitCount
          left &= left &- 1
          // A rank that changed a weight learned at least a little, even if its sum is too large to grow.
          let amount = max(
            growth.map { changes[rank].values[row + $0] } ?? 1, TableMerger.leastAmount)
          learned[place] += amount
          ranks[place] += 1
          sums[place * width] += amount * changes[rank].values[row]
          for table in 1..<width {
            sums[place * width + table] += changes[rank].values[row + table]
          }
          row += width
        }
        next[rank] = (next[rank].block + 1, row / width)
        union |= mask
      }
      result.blocks.append(block)
      result.masks.append(union)
      let first = Int(block) * UpdateMarks.blockCount
      while union != 0 {
        let place = union.trailingZeroBitCount
        union &= union &- 1
        let entry = first + place
        let divisor: Float =
          switch rule {
          case .mean: Float(changes.count)
          case .sum: 1
          case .weighted: learned[place]
          }
        result.values.append(baseWeight(entry) + sums[place * width] / divisor)
        sums[place * width] = 0
        for table in 1..<width {
          let change = sums[place * width + table] / (sumsFade ? ranks[place] : 1)
          unsafe result.values.append(base[table].base[entry] + change)
          sums[place * width + table] = 0
        }
        (learned[place], ranks[place]) = (0, 0)
      }
    }
    return result
  }

  /// Writes the new content of entries to the tables and to the base.
  private func store(_ content: TableChanges) {
    var place = 0
    for (block, mask) in zip(content.blocks, content.masks) {
      let first = Int(block) * UpdateMarks.blockCount
      var left = mask
      while left != 0 {
        let entry = first + left.trailingZeroBitCount
        left &= left &- 1
        for (table, base) in zip(tables, base) {
          unsafe table.base[entry] = content.values[place]
          unsafe base.base[entry] = content.values[place]
          place += 1
        }
      }
    }
  }
}
