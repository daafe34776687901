import NTupleNetwork

/// The promotion of weights by its definition, entry by entry.
public enum ReferencePromotion {
  /// Returns the offset of the entry of the stage before that is read if the entry at `offset` is not
  /// learned, or nil if there is none.
  public static func source(of offset: Int, in shape: NetworkShape) -> Int? {
    let stage = offset / shape.stageStride
    guard stage > 0, shape.stages.promotion != .none else { return nil }
    guard shape.stages.promotion == .downgraded else { return offset - shape.stageStride }
    let first = offset - stage * shape.stageStride
    let table = shape.tableOffsets.lastIndex { $0 <= first }!
    let layout = IndexLayout(shape.patterns[table], boardSize: shape.boardSize)
    let exponents = exponents(
      at: first - shape.tableOffsets[table], of: layout,
      cellCount: shape.patterns[table].cells.count)
    let promoted = downgraded(exponents, from: shape.stages.exponents[stage - 1])
    return (stage - 1) * shape.stageStride + shape.tableOffsets[table]
      + layout.memoryIndex(of: promoted)
  }

  /// Returns the exponents of some cells after halving the tiles that downgrading of their board would
  /// certainly halve, given that it has the tile `1 << exponent` or a larger one.
  public static func downgraded(_ exponents: [Int], from exponent: Int) -> [Int] {
    var exponents = exponents
    var largest = max(exponent, exponents.max() ?? 0)
    while largest >= exponent {
      let known = Set(exponents).union([largest])
      guard let missing = (6..<max(6, largest)).last(where: { !known.contains($0) }) else { break }
      exponents = exponents.map { $0 > missing ? $0 - 1 : $0 }
      largest -= 1
    }
    return exponents
  }

  /// Returns the exponents in listed order of the entry at a memory index.
  package static func exponents(at index: Int, of layout: IndexLayout, cellCount: Int) -> [Int] {
    (0..<cellCount).map { cell in
      [1, 2, 4, 8].filter { bit in
        let alone = (0..<cellCount).map { $0 == cell ? bit : 0 }
        return index & layout.memoryIndex(of: alone) != 0
      }.reduce(0, +)
    }
  }
}
