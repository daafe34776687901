import Basics
import CIntrinsics
import NTupleNetwork
import Synchronization

/// Merges what several ranks have learned on copies of one network.
///
/// Each rank keeps the tables as they were when all ranks last agreed: the base. To merge, it sends what has
/// changed since, and all ranks give these entries of the base the same new contents. The ``MergeRule`` decides about
/// weights. The sums of temporal coherence add up: they are those of the errors of all ranks. Sums that fade cannot add
/// up. Of them, the ranks that have changed an entry keep the mean.
///
/// A rank may play on between ``takeChanges()`` and ``adopt(_:)``. What it learns meanwhile stays on top of the new
/// contents, and counts as changed. If nothing has changed meanwhile on any rank, all copies are equal.
///
/// A weight that a later stage has not learned counts as the promoted weight that it starts from.
///
/// Thread safety: at barriers only, but for ``exchange(_:with:)``.
///
/// Safety: (1) all tables have an entry for every weight of the shape, so an offset below the number of entries
/// lies in each of them; (2) the parts that threads work on at the same time are disjoint; (3) the pointers are those
/// of tables that this object keeps; (4) tables have whole blocks, because a pattern has a power of 16 of entries;
/// (5) an exchange reads the base alone, which changes at barriers only.
@safe
package final class TableMerger: @unchecked Sendable {
  /// The network that the rank plays on, whose updates are marked.
  package let network: NTupleNetwork
  private let marks: UpdateMarks
  private let threads: Int
  /// The weights and then the tables of the update rules, by name.
  let tables: [SharedWeights]
  /// What they were when all ranks last agreed.
  private let base: [SharedWeights]
  /// The first entries of the tables and of their bases.
  private let own: [UnsafeMutablePointer<Float>]
  let agreed: [UnsafeMutablePointer<Float>]
  private let baseNetwork: NTupleNetwork
  /// The places of the sums of the errors and of their magnitudes among the tables; nil without temporal coherence.
  let errors, magnitudes: Int?

  /// The entries of a part, and how many parts a rank merges at a time. They bound the memory of the messages. What
  /// has changed is kept for all parts until it is adopted.
  private static let partCount = 1 << 20
  private static let partsAtOnce = 4
  /// The number of blocks by which their lines are requested early.
  private static let lookahead = 8

  /// The blocks of each part.
  private let parts: [Range<Int>]
  /// Whether stages read promoted weights where they have not learned any.
  private let isPromoted: Bool
  private let stageStride: Int

  /// Creates a merger of tables that are equal on all ranks.
  package init(_ network: NTupleNetwork, _ accumulators: Accumulators, threads: Int = 1) {
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
    }
    isPromoted = network.shape.stages.count > 1
    stageStride = network.shape.stageStride
    self.network = NTupleNetwork(network.shape, weights: network.weights, marks: marks)
    self.threads = threads
    errors = names.firstIndex(of: TemporalCoherence.errorName).map { $0 + 1 }
    magnitudes = names.firstIndex(of: TemporalCoherence.magnitudeName).map { $0 + 1 }
  }

  /// Returns the memory that a merger takes besides the tables of a run, in bytes.
  ///
  /// During a merge, it also keeps the entries that this rank has changed, and those that any rank has changed.
  package static func byteCount(_ shape: NetworkShape, accumulators: Int) -> Int {
    shape.byteCount * (1 + accumulators) + shape.storageCount / UpdateMarks.blockCount
  }

  /// Lets weights inherit in the base, and in the network, which keeps what it has learned since on top of them.
  ///
  /// The base then stays the same on all ranks.
  ///
  /// - Precondition: There are sums of temporal coherence.
  package func inheritWeights() {
    baseNetwork.inheritWeights(updated: base[magnitudes!], alsoIn: network)
  }

  /// A merge, from the barrier at which a rank takes what it has changed to the one at which it adopts what all
  /// have learned.
  package struct Merge: Sendable {
    /// The contents of the entries that this rank had changed, for each part.
    fileprivate let taken: [TableEntries]
    /// The new contents of the entries that some rank had changed, for each part.
    fileprivate var contents: [TableEntries] = []
    /// The number of bytes that the ranks sent each other.
    package fileprivate(set) var bytes = 0
  }

  /// Merges the tables of all ranks, which call this together. Then all copies are equal.
  ///
  /// - Returns: The number of bytes that the ranks sent each other.
  /// - Complexity: O(*m* + *k*), where *m* is the number of marks, and *k* the number of entries that the ranks
  ///   have changed.
  package func merge(with ranks: any Communicator) -> Int {
    let merge = exchange(takeChanges(), with: ranks)
    adopt(merge)
    return merge.bytes
  }

  /// Begins a merge with what has changed since the last one, and removes all marks.
  package func takeChanges() -> Merge { Merge(taken: inParallel(parts) { takeChanges(in: $0) }) }

  /// Exchanges what the ranks have changed, and calculates what all will adopt. All ranks call it together; they may
  /// play meanwhile.
  ///
  /// The ranks share the entries. Each rank receives what has changed in its share on all ranks, and sends them
  /// the new contents.
  package func exchange(_ merge: Merge, with ranks: any Communicator) -> Merge {
    var merge = merge
    var sent = 0
    let atOnce = ranks.size * TableMerger.partsAtOnce
    for first in stride(from: 0, to: parts.count, by: atOnce) {
      let end = min(first + atOnce, parts.count)
      let sending = inParallel(Array(merge.taken[first..<end])) { differences($0).bytes }
      // Part i of each group of as many parts as ranks belongs to rank i.
      let groups = stride(from: first, to: end, by: ranks.size).map {
        $0..<min($0 + ranks.size, end)
      }
      let changes = groups.map { group in
        let messages = (0..<ranks.size).map {
          $0 < group.count ? sending[group.lowerBound + $0 - first] : []
        }
        for rank in 0..<ranks.size where rank != ranks.rank { sent += messages[rank].count }
        return ranks.exchange(messages)
      }
      let contents = inParallel(Array(zip(groups, changes))) { group, changes in
        guard ranks.rank < group.count else { return [] as [UInt8] }
        let part = parts[group.lowerBound + ranks.rank]
        let changes = changes.map { TableEntries($0, tables: tables.count, in: part) }
        return self.merge(changes, in: part).bytes
      }
      sent += contents.reduce(0) { $0 + $1.count } * (ranks.size - 1)
      for (group, own) in zip(groups, contents) {
        merge.contents += zip(ranks.allGather(own), group).map {
          TableEntries($0, tables: tables.count, in: parts[$1])
        }
      }
    }
    merge.bytes = ranks.gather(sent).reduce(0, +)
    return merge
  }

  /// Gives the entries that the ranks have changed their new contents, in the base and in the tables. What this rank
  /// has learned since it took its changes is added to its tables.
  ///
  /// - Precondition: The merge has been exchanged, and no other has been taken since.
  package func adopt(_ merge: Merge) {
    let promoted = promotedSinceTaking()
    _ = inParallel(Array(zip(merge.contents, merge.taken))) { adopt($0, after: $1) }
    for (entry, weight) in promoted where unsafe agreed[0][entry] == 0 {
      unsafe own[0][entry] = own[0][entry].rebased(from: weight, to: baseWeight(entry))
    }
  }

  /// Returns the entries of later stages that only this rank has learned, since it took its changes, and the promoted
  /// weights that they started from.
  private func promotedSinceTaking() -> [(entry: Int, weight: Float)] {
    guard isPromoted else { return [] }
    return marks.marked(in: stageStride / UpdateMarks.blockCount..<marks.count).flatMap { block in
      (block * UpdateMarks.blockCount..<(block + 1) * UpdateMarks.blockCount).compactMap { entry in
        let isFirst = unsafe agreed[0][entry] == 0 && own[0][entry] != 0
        return isFirst ? (entry, baseWeight(entry)) : nil
      }
    }
  }

  /// Returns what `transform` returns for each of the inputs, which several threads share.
  private func inParallel<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ transform: @Sendable (Input) -> Output
  ) -> [Output] {
    if threads == 1 || inputs.count <= 1 { return inputs.map(transform) }
    let outputs = Mutex([Output?](repeating: nil, count: inputs.count))
    let next = Atomic(0)
    WorkerThreads.run(count: min(threads, inputs.count)) { _, _ in
      while case let place = next.add(1, ordering: .relaxed).oldValue, place < inputs.count {
        let output = transform(inputs[place])
        outputs.withLock { $0[place] = output }
      }
    }
    return outputs.withLock { $0.map { $0! } }
  }

  /// Removes the marks of some blocks, and returns the contents of the entries that have changed in them.
  private func takeChanges(in blocks: Range<Int>) -> TableEntries {
    var changed = TableEntries(tables: tables.count)
    let row = FloatBuffer(count: UpdateMarks.blockCount * tables.count)
    let taken = marks.take(in: blocks)
    for (place, block) in taken.enumerated() {
      if place + TableMerger.lookahead < taken.count {
        prefetch(taken[place + TableMerger.lookahead])
      }
      let mask = changedEntries(in: block)
      if mask == 0 { continue }
      var (left, next) = unsafe (mask, row.base)
      while left != 0 {
        let entry = block * UpdateMarks.blockCount + left.trailingZeroBitCount
        left &= left &- 1
        for table in tables.indices { unsafe next[table] = own[table][entry] }
        unsafe next += tables.count
      }
      unsafe changed.append(block: block, mask: mask, values: row.base)
    }
    return changed
  }

  /// Returns by how much entries with these contents differ from the base.
  private func differences(_ taken: TableEntries) -> TableEntries {
    var differences = taken
    let width = tables.count
    unsafe differences.updateValues { values in
      guard var row = values.baseAddress else { return }
      for (place, block) in taken.blocks.enumerated() {
        if place + TableMerger.lookahead < taken.blocks.count {
          prefetchBase(Int(taken.blocks[place + TableMerger.lookahead]))
        }
        var left = taken.masks[place]
        while left != 0 {
          let entry = Int(block) * UpdateMarks.blockCount + left.trailingZeroBitCount
          left &= left &- 1
          unsafe row[0] -= baseWeight(entry)
          for table in 1..<width { unsafe row[table] -= agreed[table][entry] }
          unsafe row += width
        }
      }
    }
    return differences
  }

  /// Requests the lines of a block that will soon be used.
  @inline(__always)
  private func prefetch(_ block: Int) {
    let entry = block * UpdateMarks.blockCount
    for table in tables.indices { unsafe ci_prefetch_for_writing(own[table] + entry) }
    prefetchBase(block)
  }

  /// Requests the lines of a block of the base.
  @inline(__always)
  func prefetchBase(_ block: Int) {
    let entry = block * UpdateMarks.blockCount
    for table in tables.indices { unsafe ci_prefetch_for_writing(agreed[table] + entry) }
  }

  /// Returns the entries of a block that differ from the base in some table, as bits.
  private func changedEntries(in block: Int) -> UInt16 {
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
  func baseWeight(_ entry: Int) -> Float {
    if !isPromoted { return unsafe agreed[0][entry] }
    return baseNetwork.weight(readAt: entry, stage: entry / stageStride)
  }

  /// Gives the entries of a part their new contents; `taken` is what this rank had changed there.
  private func adopt(_ contents: TableEntries, after taken: TableEntries) {
    let (blocks, width) = (contents.blocks, tables.count)
    // The next block that this rank had changed. All of its entries have new contents.
    var next = 0
    unsafe contents.values.withUnsafeBufferPointer { new in
      unsafe taken.values.withUnsafeBufferPointer { old in
        guard var row = new.baseAddress else { return }
        var takenRow = old.baseAddress
        for (place, block) in blocks.enumerated() {
          if place + TableMerger.lookahead < blocks.count {
            prefetch(Int(blocks[place + TableMerger.lookahead]))
          }
          let isChanged = next < taken.blocks.count && taken.blocks[next] == block
          let takenMask = isChanged ? taken.masks[next] : 0
          if isChanged { next += 1 }
          var left = contents.masks[place]
          while left != 0 {
            let bit = left & ~(left &- 1)
            let entry = Int(block) * UpdateMarks.blockCount + left.trailingZeroBitCount
            left ^= bit
            let isTaken = takenMask & bit != 0
            for table in 0..<width {
              let before = unsafe isTaken ? takenRow![table] : agreed[table][entry]
              unsafe adopt(row[table], table, entry, before)
            }
            if isTaken { unsafe takenRow! += width }
            unsafe row += width
          }
        }
      }
    }
  }

  /// Gives an entry of a table its new content, which was `before` when this rank took its changes.
  @inline(__always)
  private func adopt(_ new: Float, _ table: Int, _ entry: Int, _ before: Float) {
    unsafe agreed[table][entry] = new
    // A stage that has learned a weight only since started from a promoted one, and the difference says nothing.
    let isFirst = table == 0 && before == 0 && isPromoted && entry >= stageStride
    unsafe own[table][entry] = isFirst ? new : own[table][entry].rebased(from: before, to: new)
  }
}
