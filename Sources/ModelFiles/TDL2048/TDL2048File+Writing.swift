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
    guard shape.boardSize == 4 else {
      throw LocatedError(
        .unsuitableData, path: path, place: "board size",
        "is \(shape.boardSize)x\(shape.boardSize), but the TDL2048+ format supports only 4x4",
        remedy: "use the safetensors format")
    }
    guard shape.stages.count == 1 else {
      throw LocatedError(
        .unsuitableData, path: path, place: "stages",
        "the network has \(shape.stages.count) stages, but the TDL2048+ format supports only one",
        remedy: "use the safetensors format")
    }
    if let exponent = shape.downgrading.exponent {
      throw LocatedError(
        .unsuitableData, path: path, place: "downgrading",
        "the network downgrades tiles from \(1 << exponent), which the TDL2048+ format does not support",
        remedy: "use the safetensors format")
    }
    let file = try AtomicFile(path: path)
    var offset = 0
    func append(_ bytes: [UInt8]) throws {
      unsafe try bytes.withUnsafeBytes { unsafe try file.write($0, at: offset) }
      offset += bytes.count
    }
    try append([0] + littleEndian(UInt32(shape.patterns.count)))
    for (pattern, start) in zip(shape.patterns, shape.tableOffsets) {
      try append(recordStart(pattern))
      unsafe try network.weights.withUnsafeWeights { values in
        let table = unsafe UnsafeMutableBufferPointer(
          rebasing: values[start..<(start + pattern.entryCount)])
        let order = CanonicalOrder(pattern.backwards)
        unsafe try TensorGroup.forEachBlock(of: table, in: order) { number, block in
          if let entry = unsafe TensorGroup.firstOutOfRange(block) {
            throw unsafe outOfRange(
              block[entry], entry: number * block.count + entry, pattern, path: path,
              remedy: "learning diverged; use an earlier checkpoint")
          }
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
