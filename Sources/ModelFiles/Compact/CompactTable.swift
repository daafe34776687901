import Basics
import NTupleNetwork

/// A table of a compact file: the names of its tensors, and the position of its weights in memory.
///
/// A table is stored as three streams, with the entries in canonical order, each a frame of the Zstandard format; in
/// files of format version 1, each is a stream of the xz format:
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
  /// - Parameters:
  ///   - levels: The entry in memory for every code, and for omitted ones.
  ///   - entries: The destination, all zero; nil to validate only.
  /// - Throws: `LocatedError` if the streams cannot be read or are invalid.
  /// - Complexity: O(entries), and 8 MiB of memory.
  @unsafe
  func decode<Entry>(
    _ file: SafetensorsFile, _ tensors: [SafetensorsHeader.Tensor],
    _ summary: CompactSummary.Table, _ levels: Levels<Entry>,
    into entries: UnsafeMutableBufferPointer<Entry>?
  ) throws {
    let decoders = try tensors.map { try file.decoder(of: $0) }
    let fractionBits = levels.fractionBits
    let order = canonicalOrder()
    let byteCount = order.blockEntryCount / 8
    var left = summary.kept
    var unpacker = BitUnpacker()
    let bitmap = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: byteCount)
    let values = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: order.blockEntryCount)
    let fractions = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: order.blockEntryCount)
    let block = UnsafeMutableBufferPointer<Entry>.allocate(capacity: order.blockEntryCount)
    defer {
      unsafe bitmap.deallocate()
      unsafe values.deallocate()
      unsafe fractions.deallocate()
      unsafe block.deallocate()
    }
    func read(_ bytes: UnsafeMutableBufferPointer<UInt8>, _ count: Int, _ decoder: Int) throws {
      unsafe try decoders[decoder].read(
        into: UnsafeMutableRawBufferPointer(start: bytes.baseAddress, count: count))
    }
    for number in 0..<order.blockCount {
      unsafe try read(bitmap, byteCount, 0)
      let kept = unsafe bitmap.reduce(0) { $0 + $1.nonzeroBitCount }
      left -= kept
      guard left >= 0 else {
        throw LocatedError.damaged(
          file.path, "tensor '\(tensors[0].name)'",
          "keeps more entries than the \(summary.kept) in the metadata")
      }
      unsafe try read(values, kept, 1)
      unsafe try read(fractions, unpacker.byteCount(values: kept, count: fractionBits), 2)
      // Pages of a new table that are not written take no memory.
      if kept == 0, levels.omitsZero { continue }
      unsafe block.initialize(repeating: levels.omitted)
      unsafe levels.entries.withUnsafeBufferPointer { levels in
        var (place, byte) = (0, 0)
        for group in 0..<byteCount {
          var rest = unsafe bitmap[group]
          while rest != 0 {
            let entry = 8 &* group &+ rest.trailingZeroBitCount
            rest &= rest &- 1
            var code = unsafe Int(values[place]) &<< fractionBits
            if fractionBits > 0 {
              code |= Int(
                unpacker.next(count: fractionBits) {
                  defer { byte &+= 1 }
                  return unsafe fractions[byte]
                })
            }
            // A code has no more bits than there are levels for.
            unsafe block[entry] = levels[code]
            place &+= 1
          }
        }
      }
      if let entries = unsafe entries {
        unsafe order.scatter(block, number: number, into: entries)
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

/// What codes stand for in memory.
struct Levels<Entry> {
  /// The entry for each code: 2^bits entries.
  let entries: [Entry]
  /// The entry that is not kept in the file.
  let omitted: Entry
  /// Whether that is 0.
  let omitsZero: Bool
  /// The number of bits per code in the stream of fractions.
  let fractionBits: Int
}

extension Levels<Float> {
  /// The weights of a table.
  init(_ quantization: Quantization, fill: Float) {
    entries = quantization.weights
    (omitted, omitsZero, fractionBits) = (fill, fill == 0, quantization.fractionBits)
  }
}

extension Levels<Int16> {
  /// The entries of a frozen table with the scale of ``Quantization/scale(fill:)``.
  init(_ quantization: Quantization, _ scale: FrozenNetwork.Scale) {
    entries = quantization.exactWeights.map {
      Int16((($0 - Double(scale.base)) / Double(scale.unit)).rounded())
    }
    (omitted, omitsZero, fractionBits) = (0, true, quantization.fractionBits)
  }
}

extension SafetensorsFile {
  /// Returns a decoder of a compressed tensor, whose first bytes name its format.
  fileprivate func decoder(of tensor: SafetensorsHeader.Tensor) throws -> any TensorDecoder {
    var start = [UInt8](repeating: 0, count: min(2, tensor.byteRange.count))
    unsafe try start.withUnsafeMutableBytes {
      unsafe try read(into: $0, at: tensor.byteRange.lowerBound)
    }
    return start == [0xFD, 0x37] ? try XZDecoder(self, tensor) : try ZstdDecoder(self, tensor)
  }
}
