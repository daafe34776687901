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
    return try readNetwork(file, header.shape, offsets: offsets)
  }

  /// Reads the network of an open file, whose tables begin at these offsets.
  static func readNetwork(
    _ file: InputFile, _ shape: NetworkShape, offsets: [Int]
  ) throws -> NTupleNetwork {
    try Memory.require(shape.byteCount, for: "the network's weights", path: file.path)
    let network = NTupleNetwork(shape)
    for (table, start) in zip(shape.tables, offsets) {
      var offset = start
      unsafe try network.weights.withWeights(in: table.range) { values in
        unsafe try CanonicalOrder(table.pattern, isReversed: true).fill(
          values, path: file.path, place: "pattern \(table.pattern)",
          remedy: "weights must lie within ±1e30; use another file"
        ) { block in
          let bytes = UnsafeMutableRawBufferPointer(block)
          unsafe try file.read(into: bytes, at: offset)
          offset += bytes.count
        }
      }
    }
    return network
  }

  /// Returns the header of a file, and the offsets of the tables of its patterns in bytes.
  static func header(of file: InputFile) throws -> (header: Header, offsets: [Int]) {
    var reader = RecordReader(file: file)
    // Some files start with a type letter.
    if try reader.byte() != 0, try reader.byte() != 0 {
      throw reader.damaged("byte 0", "this is not a TDL2048+ weight file")
    }
    let count: UInt32 = try reader.number()
    guard count > 0 else { throw reader.damaged("byte 1", "the file has no patterns") }
    try InputLimit.patterns.require(Int(count), path: file.path, place: "byte 1")
    var records: [RecordReader.Record] = []
    var orbits: [UInt16: Pattern] = [:]
    for number in 1...Int(count) {
      let record = try reader.record(number)
      let pattern = record.pattern
      if let other = orbits.updateValue(pattern, forKey: pattern.orbit()) {
        guard other != pattern else {
          throw reader.damaged("record \(number)", "has the pattern \(pattern) again")
        }
        throw reader.damaged(
          "record \(number)",
          "has a table for \(pattern), an image of \(other), so TDL2048+ reads them without the symmetries "
            + "of the board, as in its networks 8x4patt and 9x4patt",
          remedy:
            "use a network whose patterns are read in all eight images, as in its other networks")
      }
      records.append(record)
    }
    guard reader.offset == file.byteCount else {
      throw reader.damaged(
        "byte \(reader.offset)",
        "the file has \(file.byteCount - reader.offset) bytes after its last record")
    }
    let header = Header(
      path: file.path, shape: NetworkShape(patterns: records.map(\.pattern)),
      hasFurtherTables: records.contains(where: \.hasFurtherTables), byteCount: file.byteCount)
    return (header, records.map(\.offset))
  }

  /// Writes a network atomically and durably.
  ///
  /// - Precondition: No other thread changes the network.
  /// - Returns: The length of the file in bytes.
  /// - Throws: `LocatedError` if the file cannot be written, or if the network has stages, tile downgrading
  ///   or a board smaller than 4×4. An existing file is then unchanged.
  /// - Complexity: O(entries), and 4 MiB of memory.
  @discardableResult
  public static func write(_ network: NTupleNetwork, to path: String) throws -> Int {
    let shape = network.shape
    func require(_ isSupported: Bool, _ place: String, _ problem: String) throws {
      guard !isSupported else { return }
      throw LocatedError(
        .unsuitableData, path: path, place: place, problem, remedy: "use the safetensors format")
    }
    try require(
      shape.boardSize == 4, "board size",
      "is \(shape.boardSize)x\(shape.boardSize), but the TDL2048+ format supports only 4x4")
    try require(
      shape.stages.count == 1, "stages",
      "the network has \(shape.stages.count) stages, but the TDL2048+ format supports only one")
    try require(
      shape.downgrading == .none, "downgrading",
      "the network downgrades tiles from \(shape.downgrading.tile ?? 0), which the TDL2048+ format "
        + "does not support")
    try require(
      InputLimit.patterns.allows(shape.patterns.count), "patterns",
      "the network has \(shape.patterns.count), but files of more than \(InputLimit.patterns.most) are not read"
    )
    let file = try AtomicFile(path: path)
    var offset = 0
    func append(_ bytes: [UInt8]) throws {
      try file.write(bytes, at: offset)
      offset += bytes.count
    }
    try append([0] + UInt32(shape.patterns.count).littleEndianBytes)
    for table in shape.tables {
      try append(recordStart(table.pattern))
      unsafe try network.weights.withWeights(in: table.range) { values in
        unsafe try CanonicalOrder(table.pattern, isReversed: true).forEachBlock(
          of: values, path: path, place: "pattern \(table.pattern)",
          remedy: "learning diverged; use an earlier checkpoint"
        ) { _, block in
          unsafe try file.writeSkippingZeros(UnsafeRawBufferPointer(block), at: offset)
          offset += block.count * MemoryLayout<Float>.stride
        }
      }
      try append(UInt16(0).littleEndianBytes)
    }
    try file.setLength(offset)
    try file.commit()
    return offset
  }

  /// Returns the bytes of a record before its entries.
  private static func recordStart(_ pattern: Pattern) -> [UInt8] {
    let sign = pattern.cells.reduce(UInt32(0)) { $0 << 4 | UInt32($1) }
    let sizes = [pattern.cells.count, 0, MemoryLayout<Float>.size]
    return [serial] + sign.littleEndianBytes + sizes.flatMap { UInt16($0).littleEndianBytes }
      + UInt64(pattern.entryCount).littleEndianBytes
  }
}
