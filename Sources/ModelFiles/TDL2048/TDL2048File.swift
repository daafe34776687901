import Basics
import NTupleNetwork

/// Networks in the format of TDL2048+, as `.w` files: the tables alone, in single precision.
///
/// Tables have the meaning they have here: the value of an afterstate, without the reward that led
/// to it, is the sum over all patterns and eight symmetries. A file numbers entries with the first
/// listed cell as the lowest digit, so its tensor order is that of the pattern listed backwards.
///
/// The file is a byte 0, the number of records, and for each pattern a serial 4, the cells as a
/// number, how many they are, a 0, the size of an element, the number of entries, the entries, and
/// blocks of further tables up to one of size 0; all numbers little-endian without padding.
public enum TDL2048File {
  /// What a file holds.
  public struct Header: Hashable, Sendable {
    public let path: String
    public let shape: NetworkShape
    /// Whether tables of temporal coherence, or others, stand beside the weights; they are skipped.
    public let hasFurtherTables: Bool
    /// The length of the file.
    public let byteCount: Int
  }

  static let serial: UInt8 = 4

  /// Reads what a file holds, and checks that its records fill it.
  ///
  /// - Throws: ``LocatedError``.
  /// - Complexity: O(records).
  public static func readHeader(_ path: String) throws -> Header {
    try header(of: InputFile(path: path)).header
  }

  /// Reads a network.
  ///
  /// - Throws: ``LocatedError``: the file is missing or damaged, has elements of another size,
  ///   stages, or features that are no patterns, or does not fit into memory.
  /// - Complexity: O(entries).
  public static func read(_ path: String) throws -> NTupleNetwork {
    let file = try InputFile(path: path)
    let (header, offsets) = try header(of: file)
    let shape = header.shape
    try Memory.require(shape.byteCount, for: "the network's weights", path: path)
    let network = NTupleNetwork(shape)
    for (place, pattern) in shape.patterns.enumerated() {
      let order = CanonicalOrder(pattern.backwards)
      let start = shape.tableOffsets[place]
      var offset = offsets[place]
      unsafe try TensorGroup.withBlock(order.blockEntryCount) { block in
        for number in 0..<order.blockCount {
          unsafe try file.read(into: UnsafeMutableRawBufferPointer(block), at: offset)
          offset += block.count * MemoryLayout<Float>.stride
          if let entry = unsafe TensorGroup.firstOutOfRange(block) {
            throw unsafe outOfRange(
              block[entry], entry: number * block.count + entry, pattern, path: path,
              remedy: "weights lie within ±1e30: use another file")
          }
          unsafe network.weights.withUnsafeWeights { values in
            unsafe order.scatter(
              block, number: number,
              into: UnsafeMutableBufferPointer(
                rebasing: values[start..<(start + pattern.entryCount)]))
          }
        }
      }
    }
    return network
  }

  static func outOfRange(
    _ value: Float, entry: Int, _ pattern: Pattern, path: String, remedy: String
  ) -> LocatedError {
    let exponents = CanonicalOrder.exponents(of: entry, cellCount: pattern.cells.count)
    return .damaged(
      path, "pattern \(pattern)", "entry \(exponents.reversed() as [Int]) is \(value)",
      remedy: remedy)
  }
}

extension Pattern {
  /// The same cells, listed from the last to the first.
  var backwards: Pattern {
    // A pattern listed backwards is a pattern of the largest board as well.
    try! Pattern(String(description.reversed()))
  }
}
