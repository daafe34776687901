import Basics
import NTupleNetwork

/// A network in the TDL2048+ format (`.w` files): the lookup tables alone, in single precision.
///
/// Tables have the same meaning as in this package: the value of an afterstate, without the reward of the
/// move that led to it, is the sum over all patterns and the eight symmetries. In a file the first listed
/// cell is the lowest digit of an index, so the order of entries is that of the reversed pattern.
///
/// A file consists of a byte 0, the number of records, and one record per pattern. A record has the serial
/// 4, the cells as a number, the number of cells, a 0, the size of an element, the number of entries, the
/// entries, and blocks of further tables, which end with one of size 0. All numbers are little-endian,
/// without padding.
public enum TDL2048File {
  /// The description of a file.
  public struct Header: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// The shape of the network.
    public let shape: NetworkShape
    /// Whether the file has tables besides the weights, for example the accumulators of temporal
    /// coherence. Reading skips them.
    public let hasFurtherTables: Bool
    /// The length of the file in bytes.
    public let byteCount: Int
  }

  /// The serial number of records with a table of weights.
  static let serial: UInt8 = 4

  /// Reads the description of a file, and checks that its records fill it.
  ///
  /// - Throws: `LocatedError` if the file cannot be read or is invalid.
  /// - Complexity: O(records).
  public static func readHeader(_ path: String) throws -> Header {
    try header(of: InputFile(path: path)).header
  }

  /// Reads a network.
  ///
  /// - Throws: `LocatedError` if the file is missing or damaged, if it has stages, elements of another
  ///   size, or features that are not patterns, or if the network does not fit into memory.
  /// - Complexity: O(entries).
  public static func read(_ path: String) throws -> NTupleNetwork {
    let file = try InputFile(path: path)
    let (header, offsets) = try header(of: file)
    let shape = header.shape
    try Memory.require(shape.byteCount, for: "the network's weights", path: path)
    let network = NTupleNetwork(shape)
    for (table, start) in zip(shape.tables, offsets) {
      var offset = start
      unsafe try network.weights.withWeights(in: table.range) { values in
        unsafe try CanonicalOrder(table.pattern.backwards).fill(
          values,
          damaged: {
            outOfRange(
              $1, $0, table.pattern, path: path,
              remedy: "weights must lie within ±1e30; use another file")
          }
        ) { block in
          let bytes = UnsafeMutableRawBufferPointer(block)
          unsafe try file.read(into: bytes, at: offset)
          offset += bytes.count
        }
      }
    }
    return network
  }

  /// Returns the error for a weight out of range.
  static func outOfRange(
    _ value: Float, _ exponents: [Int], _ pattern: Pattern, path: String, remedy: String
  ) -> LocatedError {
    .damaged(
      path, "pattern \(pattern)", "entry \(exponents.reversed() as [Int]) is \(value)",
      remedy: remedy)
  }
}

extension Pattern {
  /// The pattern with its cells in reverse order.
  var backwards: Pattern {
    // A reversed pattern is valid on the largest board, too.
    try! Pattern(String(description.reversed()))
  }
}
