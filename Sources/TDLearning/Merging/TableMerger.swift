import CIntrinsics
import DenseKernels
import Dispatch
import NTupleNetwork
import Ranks
import Synchronization

/// Merges what several ranks have learned on copies of one network.
///
/// Each rank keeps the tables as they were when all ranks last agreed: the base. To merge, it sends what has
/// changed since, and all ranks give these entries the same new contents, so that their copies are equal again. The
/// ``MergeRule`` decides about weights. The sums of temporal coherence add up: they are those of the errors of all
/// ranks. Sums that fade cannot add up. Of them, the ranks that have changed an entry keep the mean.
///
/// A weight that a later stage has not learned counts as the promoted weight that it starts from.
///
/// Thread safety: at barriers only.
///
/// Safety: (1) all tables have an entry for every weight of the shape, so an offset below the number of entries
/// lies in each of them; (2) the parts that threads work on at the same time are disjoint; (3) the pointers are those
/// of tables that this object keeps; (4) tables have whole blocks, because a pattern has a power of 16 of entries.
@safe
package final class TableMerger: @unchecked Sendable {
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
  /// The first entries of the tables and of their bases.
  private let own, agreed: [UnsafeMutablePointer<Float>]
  private let baseNetwork: NTupleNetwork
  /// The places of the sums of the errors and of their magnitudes among the tables; nil without temporal coherence.
  private let errors, magnitudes: Int?

  /// The entries of a part, and how many parts a rank merges at a time. They bound the memory of a merge.
  private static let partCount = 1 << 20
  private static let partsAtOnce = 4
  /// The number of blocks by which their lines are requested early.
  private static let lookahead = 8
  /// The least l of a rank that has changed a weight.
  private static let leastAmount: Float = 1e-20

  /// The blocks of each part. Those of later stages come first, because the weights of earlier stages are their
  /// bases.
  private let parts: [Range<Int>]

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
      let copy = SharedWeights(count: table.count)
      copy.copy(from: table)
      // Otherwise the first merges would take several times as long.
      copy.populate()
      return copy
    }
    unsafe own = tables.map { unsafe $0.base }
    unsafe agreed = base.map { unsafe $0.base }
    baseNetwork = NTupleNetwork(network.shape, weights: base[0])
    marks = UpdateMarks(entryCount: network.weights.count)
    let (blockCount, perPart) = (marks.count, TableMerger.partCount / UpdateMarks.blockCount)
    parts = stride(from: 0, to: blockCount, by: perPart).map {
      $0..<min($0 + perPart, blockCount)
    }.reversed()
    self.network = NTupleNetwork(network.shape, weights: network.weights, marks: marks)
    self.rule = rule
    self.sumsFade = sumsFade
    self.threads = threads
    errors = names.firstIndex(of: TemporalCoherence.errorName).map { $0 + 1 }
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
  /// The ranks share the entries. Each rank receives what has changed in its share on all ranks, and sends them
  /// the new contents.
  ///
  /// - Returns: The number of bytes that the ranks sent each other.
  /// - Complexity: O(*m* + *k*), where *m* is the number of marks, and *k* the number of entries that the ranks
  ///   have changed.
  package func merge(with ranks: any Communicator) -> Int {
    var sent = 0
    let sending = inParallel(parts) { takeChanges(in: $0).bytes }
    let atOnce = ranks.size * TableMerger.partsAtOnce
    for first in stride(from: 0, to: parts.count, by: atOnce) {
      let end = min(first + atOnce, parts.count)
      // Part i of each group of as many parts as ranks belongs to rank i.
      let groups = stride(from: first, to: end, by: ranks.size).map {
        $0..<min($0 + ranks.size, end)
      }
      let changes = groups.map { group in
        let messages = (0..<ranks.size).map {
          $0 < group.count ? sending[group.lowerBound + $0] : []
        }
        for rank in 0..<ranks.size where rank != ranks.rank { sent += messages[rank].count }
        return ranks.exchange(messages)
      }
      let contents = inParallel(Array(zip(groups, changes))) { group, changes in
        guard ranks.rank < group.count else { return [] as [UInt8] }
        let changes = changes.map { TableEntries($0, tables: tables.count) }
        return merge(changes, in: parts[group.lowerBound + ranks.rank]).bytes
      }
      sent += contents.reduce(0) { $0 + $1.count } * (ranks.size - 1)
      // All have been merged before the first base changes.
      _ = inParallel(contents.map { ranks.allGather($0) }) { contents in
        for bytes in contents { set(TableEntries(bytes, tables: tables.count)) }
      }
    }
    return ranks.gather([sent]).reduce(0, +)
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

  /// Removes the marks of some blocks, and returns what has changed in them.
  private func takeChanges(in blocks: Range<Int>) -> TableEntries {
    var changes = TableEntries(tables: tables.count)
    let row = FloatBuffer(count: UpdateMarks.blockCount * tables.count)
    let taken = marks.take(in: blocks)
    for (place, block) in taken.enumerated() {
      if place + TableMerger.lookahead < taken.count {
        prefetch(taken[place + TableMerger.lookahead])
      }
      appendChanges(in: block, to: &changes, row)
    }
    return changes
  }

  /// Requests the lines of a block that will soon be used.
  @inline(__always)
  private func prefetch(_ block: Int) {
    let entry = block * UpdateMarks.blockCount
    for table in tables.indices {
      unsafe ci_prefetch_for_writing(own[table] + entry)
      unsafe ci_prefetch_for_writing(agreed[table] + entry)
    }
  }

  /// Appends what has changed in a block; `row` has room for its entries.
  private func appendChanges(
    in block: Int, to changes: inout TableEntries, _ row: FloatBuffer
  ) {
    let mask = differences(in: block)
    if mask == 0 { return }
    let width = tables.count
    var (left, next) = unsafe (mask, row.base)
    while left != 0 {
      let entry = block * UpdateMarks.blockCount + left.trailingZeroBitCount
      left &= left &- 1
      unsafe next[0] = own[0][entry] - baseWeight(entry)
      for table in 1..<width { unsafe next[table] = own[table][entry] - agreed[table][entry] }
      unsafe next += width
    }
    unsafe changes.append(block: block, mask: mask, values: row.base)
  }

  /// Returns the entries of a block that differ from the base in some table, as bits.
  private func differences(in block: Int) -> UInt16 {
    let start = block * UpdateMarks.blockCount
    var bits = SIMD16<UInt32>(repeating: 0)
    for table in tables.indices {
      unsafe bits |= row(own[table] + start) ^ row(agreed[table] + start)
    }
    let mask = SIMD16<UInt32>(repeating: 0).replacing(with: TableMerger.bits, where: bits .!= 0)
    return UInt16(truncatingIfNeeded: mask.wrappedSum())
  }

  private static let bits = SIMD16<UInt32>((0..<16).map { 1 << $0 })

  /// Returns the bit patterns of the entries of a block in a table.
  @inline(__always)
  @unsafe
  private func row(_ entries: UnsafePointer<Float>) -> SIMD16<UInt32> {
    unsafe UnsafeRawPointer(entries).loadUnaligned(as: SIMD16<UInt32>.self)
  }

  /// Returns the weight of the base that is read at an entry.
  private func baseWeight(_ entry: Int) -> Float {
    let shape = network.shape
    if shape.stages.count == 1 || shape.stages.promotion == .none {
      return unsafe agreed[0][entry]
    }
    return baseNetwork.weight(readAt: entry, stage: entry / shape.stageStride)
  }

  /// Returns the new contents of the entries that the ranks have changed in some blocks.
  ///
  /// - Parameter changes: The changes of each rank, in the order of the ranks.
  private func merge(_ changes: [TableEntries], in blocks: Range<Int>) -> TableEntries {
    var contents = TableEntries(tables: tables.count)
    var scratch = MergeScratch(tables: tables.count)
    // Where the rest of each list begins.
    var starts = changes.map { _ in (block: 0, value: 0) }
    var start = blocks.lowerBound
    while start < blocks.upperBound {
      let end = min(start + MergeScratch.blockCount, blocks.upperBound)
      for rank in changes.indices {
        add(changes[rank], from: &starts[rank], in: start..<end, to: &scratch)
      }
      for block in start..<end where scratch.masks[block - start] != 0 {
        finish(block, block - start, &scratch, changes.count, &contents)
      }
      start = end
    }
    return contents
  }

  /// Adds the changes of a rank in some blocks to the sums, and moves to the first change beyond them.
  private func add(
    _ changes: TableEntries, from place: inout (block: Int, value: Int), in blocks: Range<Int>,
    to scratch: inout MergeScratch
  ) {
    let (learned, squares) = unsafe (scratch.learned.base, scratch.squares.base)
    let ranks = unsafe scratch.ranks.base
    let width = tables.count
    // Sums that fade do not say how much was learned.
    let isWeighted = rule == .weighted || rule == .coherent
    let growth = isWeighted && !sumsFade ? magnitudes : nil
    unsafe changes.values.withUnsafeBufferPointer { values in
      while place.block < changes.blocks.count,
        Int(changes.blocks[place.block]) < blocks.upperBound
      {
        let block = Int(changes.blocks[place.block]) - blocks.lowerBound
        var left = changes.masks[place.block]
        var row = unsafe values.baseAddress! + place.value
        place.block += 1
        place.value += left.nonzeroBitCount * width
        if scratch.masks[block] == 0 {
          let entry = (blocks.lowerBound + block) * UpdateMarks.blockCount
          for table in 0..<width { unsafe ci_prefetch_for_writing(agreed[table] + entry) }
        }
        scratch.masks[block] |= left
        while left != 0 {
          let entry = block * UpdateMarks.blockCount + left.trailingZeroBitCount
          left &= left &- 1
          // A rank that changed a weight learned at least a little, even if its sum is too large to grow.
          let amount = growth.map { max(unsafe row[$0], TableMerger.leastAmount) } ?? 1
          unsafe learned[entry] += amount
          unsafe squares[entry] += amount * amount
          unsafe ranks[entry] += 1
          let sums = unsafe scratch.sums.base + entry * width
          unsafe sums[0] += amount * row[0]
          for table in 1..<width { unsafe sums[table] += row[table] }
          unsafe row += width
        }
      }
    }
  }

  /// Appends the new contents of a block whose sums are complete, and clears the sums; `index` is their place.
  private func finish(
    _ block: Int, _ index: Int, _ scratch: inout MergeScratch, _ ranks: Int,
    _ contents: inout TableEntries
  ) {
    let width = tables.count
    let mask = scratch.masks[index]
    scratch.masks[index] = 0
    var left = mask
    var row = unsafe scratch.row.base
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
        case .coherent: unsafe scratch.learned[place] / coherentFactor(sums, place, scratch)
        }
      unsafe row[0] = baseWeight(entry) + sums[0] / divisor
      for table in 1..<width {
        let change = unsafe sums[table] / (sumsFade ? scratch.ranks[place] : 1)
        unsafe row[table] = agreed[table][entry] + change
      }
      unsafe sums.update(repeating: 0, count: width)
      (scratch.learned[place], scratch.squares[place], scratch.ranks[place]) = (0, 0, 0)
      unsafe row += width
    }
    unsafe contents.append(block: block, mask: mask, values: scratch.row.base)
  }

  /// Returns the factor of ``MergeRule/coherent`` for an entry.
  @unsafe
  private func coherentFactor(
    _ sums: UnsafePointer<Float>, _ place: Int, _ scratch: borrowing MergeScratch
  ) -> Float {
    guard !sumsFade, let errors, let magnitudes, unsafe sums[magnitudes] > 0 else { return 1 }
    let coherence = unsafe min(abs(sums[errors]) / sums[magnitudes], 1)
    let learned = scratch.learned[place]
    let others = learned * learned / scratch.squares[place] - 1
    return 1 + coherence * coherence * min(others, MergeRule.mostOthers)
  }

  /// Gives entries of the tables and of the base their new contents.
  private func set(_ contents: TableEntries) {
    unsafe contents.values.withUnsafeBufferPointer { values in
      guard var row = values.baseAddress else { return }
      let blocks = contents.blocks
      for (place, block) in blocks.enumerated() {
        if place + TableMerger.lookahead < blocks.count {
          prefetch(Int(blocks[place + TableMerger.lookahead]))
        }
        var left = contents.masks[place]
        while left != 0 {
          let entry = Int(block) * UpdateMarks.blockCount + left.trailingZeroBitCount
          left &= left &- 1
          for table in 0..<tables.count {
            unsafe own[table][entry] = row[table]
            unsafe agreed[table][entry] = row[table]
          }
          unsafe row += tables.count
        }
      }
    }
  }
}

/// The sums over the ranks for the entries of some blocks, all 0 between uses.
///
/// Safety: the regions are as large as the number of blocks says; one thread uses them, with places below their
/// sizes.
@safe
private struct MergeScratch: ~Copyable {
  /// The number of blocks, whose sums fit into a cache.
  static let blockCount = 2048

  /// The entries of each block that a rank has changed.
  var masks = [UInt16](repeating: 0, count: blockCount)
  /// For each entry the sums over the ranks, `[entry, table]`, row-major; that of weights is weighted.
  let sums: FloatBuffer
  /// For each entry the sum of the weights of the ranks that have changed it.
  let learned = FloatBuffer(count: blockCount * UpdateMarks.blockCount)
  /// For each entry the sum of the squares of these weights.
  let squares = FloatBuffer(count: blockCount * UpdateMarks.blockCount)
  /// For each entry the number of these ranks.
  let ranks = FloatBuffer(count: blockCount * UpdateMarks.blockCount)

  /// The new contents of the entries of a block, `[entry, table]`, row-major.
  let row: FloatBuffer

  init(tables: Int) {
    sums = FloatBuffer(count: learned.count * tables)
    row = FloatBuffer(count: UpdateMarks.blockCount * tables)
  }
}
