import Basics
import NTupleNetwork

/// Reads the records of a TDL2048+ file and skips their tables.
struct RecordReader {
  /// A record: its pattern, the offset of its table in bytes, and whether further tables follow.
  typealias Record = (pattern: Pattern, offset: Int, hasFurtherTables: Bool)

  let file: InputFile
  private(set) var offset = 0

  func damaged(_ place: String, _ problem: String, remedy: String? = nil) -> LocatedError {
    .damaged(file.path, place, problem, remedy: remedy)
  }

  mutating func byte() throws -> UInt8 {
    try number()
  }

  /// Reads a little-endian number.
  mutating func number<Integer: FixedWidthInteger & UnsignedInteger>() throws -> Integer {
    let bytes = try file.bytes(at: offset, count: Integer.bitWidth / 8)
    offset += bytes.count
    return Integer(littleEndianBytes: bytes)
  }

  /// Skips `count` elements of `size` bytes.
  private mutating func skip(_ count: UInt64, of size: UInt16, _ place: String) throws {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: UInt64(size))
    guard !overflow, bytes <= UInt64(file.byteCount - offset) else {
      throw damaged(
        "\(place), byte \(offset)",
        "the table has \(count) elements of \(size) bytes, but the file ends earlier"
      )
    }
    offset += Int(bytes)
  }

  mutating func record(_ number: Int) throws -> Record {
    let place = "record \(number)"
    let start = offset
    guard try byte() == TDL2048File.serial else {
      throw damaged("\(place), byte \(start)", "the record does not start with byte 4")
    }
    let name = try file.bytes(at: offset, count: 8)
    let sign: UInt32 = try self.number()
    let width: UInt16 = try self.number()
    let marker: UInt16 = try self.number()
    guard marker == 0 else {
      let text = String(decoding: name.filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
      throw damaged(
        place, "has the feature '\(text)', which is not a pattern of cells",
        remedy: "use a network that has only patterns")
    }
    let size: UInt16 = try self.number()
    let length: UInt64 = try self.number()
    let pattern = try pattern(sign: sign, width: Int(width), length: length, place)
    guard size == 4 else {
      throw damaged(
        "\(place), pattern \(pattern)", "has elements of \(size) bytes, not 4",
        remedy: "save the network in single precision (f32) with TDL2048+")
    }
    let table = offset
    try skip(length, of: size, place)
    var furtherTables = 0
    while case let further:UInt16 = try self.number(), further != 0 {
      furtherTables += 1
      try InputLimit.furtherTables.require(furtherTables, path: file.path, place: place)
      try skip(self.number(), of: further, place)
    }
    return (pattern, table, furtherTables > 0)
  }

  private func pattern(
    sign: UInt32, width: Int, length: UInt64, _ place: String
  ) throws -> Pattern {
    let cellCount = length.trailingZeroBitCount / 4
    guard length.nonzeroBitCount == 1, length.trailingZeroBitCount % 4 == 0,
      Pattern.cellCounts.contains(cellCount)
    else {
      throw damaged(
        place, "has \(length) entries, which is not a power of 16 for any supported number of cells"
      )
    }
    let digits = String(sign, radix: 16)
    // Old files have the width 0. A width that is too small for the digits means all eight digits.
    let statedWidth = width == 0 ? cellCount : width
    let actualWidth = statedWidth < digits.count ? 8 : statedWidth
    let padded = String(repeating: "0", count: max(0, actualWidth - digits.count)) + digits
    guard actualWidth == cellCount else {
      guard actualWidth == 8, cellCount < 8 else {
        throw damaged(
          place,
          "has \(length) entries, too \(actualWidth > cellCount ? "few" : "many") for "
            + "\(actualWidth) cells")
      }
      let stage = String((padded.dropLast(cellCount)).reversed())
      throw damaged(
        place, "is a table of stage 0x\(stage) of the pattern \(padded.suffix(cellCount))",
        remedy: "use a network with one stage")
    }
    do {
      return try Pattern(padded)
    } catch let error {
      throw damaged(place, "'\(padded)' is not a pattern: \(error)")
    }
  }
}
