import NTupleNetwork

/// The arithmetic of a merge.
///
/// Each rank i has changed a weight by c_i since the ranks last agreed, and l_i is the sum of the magnitudes of
/// the errors behind the change, or 1 without temporal coherence. The ranks agree on the change
///
///     (1 + κ² min(n − 1, 3)) · Σ l_i c_i / Σ l_i
///
/// with κ = |Σ e_i| / Σ l_i and n = (Σ l_i)² / Σ l_i², where e_i is the sum of the errors of rank i. Without
/// temporal coherence, κ is 0. The sums of temporal coherence change by the sum of their changes.
///
/// If the errors agree, no rank has corrected them yet, and the changes add up. If they cancel out, each rank has
/// learned the value, and the changes are averaged. n is the number of ranks, or less if they have learned
/// unequally. Factors above 4 let 8 ranks diverge.
///
/// Source: Liu and Olshevsky, "Distributed TD(0) with almost no communication", 2023, for the mean.
extension TableMerger {
  /// The largest n − 1.
  private static let mostOthers: Float = 3
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
        finish(block, block - start, &scratch, &contents)
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
    let width = tables.count
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
          let amount = magnitudes.map { max(unsafe row[$0], TableMerger.leastAmount) } ?? 1
          unsafe learned[entry] += amount
          unsafe squares[entry] += amount * amount
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
    _ block: Int, _ index: Int, _ scratch: inout MergeScratch, _ contents: inout TableEntries
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
      let divisor = unsafe scratch.learned[place] / factor(sums, place, scratch)
      unsafe row[0] = baseWeight(entry) + sums[0] / divisor
      for table in 1..<width { unsafe row[table] = agreed[table][entry] + sums[table] }
      unsafe sums.update(repeating: 0, count: width)
      (scratch.learned[place], scratch.squares[place]) = (0, 0)
      unsafe row += width
    }
    unsafe contents.append(block: block, mask: mask, values: scratch.row.base)
  }

  /// Returns the factor by which the change of an entry exceeds the weighted mean of the ranks' changes.
  @unsafe
  private func factor(
    _ sums: UnsafePointer<Float>, _ place: Int, _ scratch: borrowing MergeScratch
  ) -> Float {
    guard let errors, let magnitudes, unsafe sums[magnitudes] > 0 else { return 1 }
    let coherence = unsafe min(abs(sums[errors]) / sums[magnitudes], 1)
    let learned = scratch.learned[place]
    let others = learned * learned / scratch.squares[place] - 1
    return 1 + coherence * coherence * min(others, TableMerger.mostOthers)
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

  /// The new contents of the entries of a block, `[entry, table]`, row-major.
  let row: FloatBuffer

  init(tables: Int) {
    sums = FloatBuffer(count: learned.count * tables)
    row = FloatBuffer(count: UpdateMarks.blockCount * tables)
  }
}
