import NTupleNetwork

/// The arithmetic of a merge.
extension TableMerger {
  /// The least l of a rank that has changed a weight.
  private static let leastAmount: Float = 1e-20

  /// Returns the new contents of the entries that the ranks have changed in some blocks.
  ///
  /// - Parameter changes: The changes of each rank, in the order of the ranks.
  func merge(_ changes: [TableEntries], in blocks: Range<Int>) -> TableEntries {
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
        if scratch.masks[block] == 0 { prefetchBase(blocks.lowerBound + block) }
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

/// A rule for the change of a weight that several ranks have changed on their own since they last agreed.
///
/// Each rank i has changed the weight by c_i. A rank that has not changed it has c_i = 0.
///
/// Source: Liu and Olshevsky, "Distributed TD(0) with almost no communication", 2023, for the mean.
public enum MergeRule: String, CaseIterable, Sendable {
  /// `Σ c_i / n` for n ranks.
  case mean
  /// `Σ c_i`, as if the changes had been made one after the other.
  case sum
  /// `Σ l_i c_i / Σ l_i` over the ranks that have changed the weight, where l_i is the sum of the magnitudes
  /// of their errors, or 1 without temporal coherence.
  case weighted
  /// The change of ``weighted``, times 1 + κ² min(n - 1, 3) with κ = |Σ e_i| / Σ l_i and n = (Σ l_i)² / Σ l_i²,
  /// where e_i is the sum of the errors of rank i. Without temporal coherence, or if its sums fade, κ is 0.
  ///
  /// If the errors agree, no rank has corrected them yet, and the changes add up. If they cancel out, each rank has
  /// learned the value, and the changes are averaged. n is the number of ranks, or less if they have learned
  /// unequally. Factors above 4 let 8 ranks diverge.
  case coherent

  /// The largest n - 1 of ``coherent``.
  static let mostOthers: Float = 3
}
