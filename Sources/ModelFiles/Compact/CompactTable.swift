import NTupleNetwork

/// One table of a compact file: the names of its tensors, and where its weights are in memory.
///
/// Its bytes are three streams of the xz format, each entry's part in canonical order:
/// - `positions.CELLS` (in later stages `positions.stage1.CELLS`, and so on): a bit for every entry, from the lowest bit of the first byte on, 1 if the
///   entry is kept;
/// - `values.CELLS`: for every kept entry the upper 8 bits of its code, or all if it has fewer;
/// - `fractions.CELLS`: the other bits of every code, packed from the lowest bit on.
///
/// Canonical order keeps entries together that differ in one tile by one, which are read alike and
/// have like weights. In memory order the bit maps were 3 % longer, and the values no shorter.
struct CompactTable {
  let place: NetworkShape.Table
  let boardSize: Int

  static let streams = ["positions", "values", "fractions"]

  var tensorNames: [String] {
    CompactTable.streams.map { TensorGroup.tensorName($0, place) }
  }

  /// Where the table lies in the weights.
  var range: Range<Int> { place.offset..<(place.offset + place.pattern.entryCount) }

  /// The order of its entries, which takes some memory: to be made when it is needed.
  func canonicalOrder() -> CanonicalOrder { CanonicalOrder(place.pattern, boardSize: boardSize) }

  /// The tables of a network, in the order of the file.
  static func all(of shape: NetworkShape) -> [CompactTable] {
    shape.tables.map { CompactTable(place: $0, boardSize: shape.boardSize) }
  }
}

extension Quantization {
  /// The bits of a code that go to the fractions.
  var fractionBits: Int { max(0, bits - 8) }
}
