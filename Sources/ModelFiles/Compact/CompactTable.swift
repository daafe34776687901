import NTupleNetwork

/// A table of a compact file: the names of its tensors, and the position of its weights in memory.
///
/// A table is stored as three streams of the xz format, with the entries in canonical order:
/// - `positions.CELLS`: one bit per entry, lowest bit first, 1 if the entry is kept;
/// - `values.CELLS`: the upper 8 bits of the code of every kept entry, or all bits if there are fewer;
/// - `fractions.CELLS`: the other bits of the codes, packed lowest bit first.
///
/// In later stages the names are `positions.stage1.CELLS` and so on.
///
/// Canonical order keeps entries together that differ by one in one tile. Such entries have similar read
/// counts and weights. In memory order the bitmaps were 3 % longer, and the values not shorter.
struct CompactTable {
  let place: NetworkShape.Table
  let boardSize: Int

  static let streams = ["positions", "values", "fractions"]

  var tensorNames: [String] {
    CompactTable.streams.map { TensorGroup.tensorName($0, place) }
  }

  /// Returns the order of the entries. It takes some memory, so callers create it only when needed.
  func canonicalOrder() -> CanonicalOrder { CanonicalOrder(place.pattern, boardSize: boardSize) }

  /// Returns the tables of a network, in the order of the file.
  static func all(of shape: NetworkShape) -> [CompactTable] {
    shape.tables.map { CompactTable(place: $0, boardSize: shape.boardSize) }
  }
}

extension Quantization {
  /// The number of bits per code in the stream of fractions.
  var fractionBits: Int { max(0, bits - 8) }
}
