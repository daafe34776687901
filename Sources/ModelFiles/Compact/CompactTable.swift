import Basics
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

  /// Reads the table, and checks that its streams match the summary.
  ///
  /// - Parameter weights: The destination, all zero; nil to validate only.
  /// - Throws: `LocatedError` if the streams cannot be read or are invalid.
  /// - Complexity: O(entries), and 8 MiB of memory.
  func decode(
    _ file: SafetensorsFile, _ tensors: [SafetensorsHeader.Tensor],
    _ summary: CompactSummary.Table, bits: Int, into weights: SharedWeights?
  ) throws {
    let quantization = Quantization(bits: bits, least: summary.least, step: summary.step)
    let decoders = try tensors.map { try XZDecoder(file, $0) }
    let fractionBits = quantization.fractionBits
    var unpacker = BitUnpacker()
    let order = canonicalOrder()
    var left = summary.kept
    func read(_ count: Int, _ decoder: Int) throws -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      unsafe try bytes.withUnsafeMutableBytes { unsafe try decoders[decoder].read(into: $0) }
      return bytes
    }
    unsafe try weights.withWeights(in: place.range) { weights in
      unsafe try order.fill(
        weights, path: file.path, place: "tensor '\(TensorGroup.tensorName("values", place))'",
        remedy: "use another file"
      ) { block in
        let bitmap = try read(block.count / 8, 0)
        let kept = bitmap.reduce(0) { $0 + $1.nonzeroBitCount }
        left -= kept
        guard left >= 0 else {
          throw LocatedError.damaged(
            file.path, "tensor '\(tensors[0].name)'",
            "keeps more entries than the \(summary.kept) in the metadata")
        }
        let values = try read(kept, 1)
        let fractions = try read(
          fractionBits == 0 ? 0 : unpacker.byteCount(values: kept, count: fractionBits), 2)
        unsafe block.update(repeating: summary.fill)
        var (place, byte) = (0, 0)
        for (group, bits) in bitmap.enumerated() where bits != 0 {
          var rest = bits
          while rest != 0 {
            let entry = 8 * group + rest.trailingZeroBitCount
            rest &= rest &- 1
            var code = UInt32(values[place]) << UInt32(fractionBits)
            if fractionBits > 0 {
              code |= unpacker.next(count: fractionBits) {
                defer { byte += 1 }
                return fractions[byte]
              }
            }
            unsafe block[entry] = quantization.weight(of: code)
            place += 1
          }
        }
      }
    }
    guard left == 0 else {
      throw LocatedError.damaged(
        file.path, "tensor '\(tensors[0].name)'",
        "keeps \(summary.kept - left) entries, but the metadata state \(summary.kept)")
    }
    for decoder in decoders { try decoder.requireEnd() }
  }
}
