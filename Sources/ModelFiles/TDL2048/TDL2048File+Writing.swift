import Basics
import NTupleNetwork

extension TDL2048File {
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
      "the network downgrades tiles from \(shape.downgradeTiles.first ?? 0), which the TDL2048+ format "
        + "does not support")
    let file = try AtomicFile(path: path)
    var offset = 0
    func append(_ bytes: [UInt8]) throws {
      unsafe try bytes.withUnsafeBytes { unsafe try file.write($0, at: offset) }
      offset += bytes.count
    }
    try append([0] + littleEndian(UInt32(shape.patterns.count)))
    for table in shape.tables {
      try append(recordStart(table.pattern))
      unsafe try network.weights.withWeights(in: table.range) { values in
        unsafe try CanonicalOrder(table.pattern.backwards).forEachBlock(
          of: values,
          damaged: {
            outOfRange(
              $1, $0, table.pattern, path: path,
              remedy: "learning diverged; use an earlier checkpoint")
          }
        ) { _, block in
          unsafe try file.writeSkippingZeros(UnsafeRawBufferPointer(block), at: offset)
          offset += block.count * MemoryLayout<Float>.stride
        }
      }
      try append(littleEndian(UInt16(0)))
    }
    try file.setLength(offset)
    try file.commit()
    return offset
  }

  /// Returns the bytes of a record before its entries.
  private static func recordStart(_ pattern: Pattern) -> [UInt8] {
    let sign = pattern.cells.reduce(UInt32(0)) { $0 << 4 | UInt32($1) }
    return [serial] + littleEndian(sign) + littleEndian(UInt16(pattern.cells.count))
      + littleEndian(UInt16(0)) + littleEndian(UInt16(MemoryLayout<Float>.size))
      + littleEndian(UInt64(pattern.entryCount))
  }

  private static func littleEndian<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
    (0..<(Integer.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> Integer(8 * $0)) }
  }
}
