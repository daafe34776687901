import Basics
import NTupleNetwork

extension TDL2048File {
  /// The header of a file, and the bytes at which the tables of its patterns start.
  static func header(of file: InputFile) throws -> (header: Header, offsets: [Int]) {
    var reader = RecordReader(file: file)
    // Some files start with a letter for their type.
    if try reader.byte() != 0, try reader.byte() != 0 {
      throw reader.damaged("byte 0", "this is no TDL2048+ weight file")
    }
    let count: UInt32 = try reader.number()
    guard count > 0 else { throw reader.damaged("byte 1", "the file holds no pattern") }
    var records: [RecordReader.Record] = []
    for number in 1...Int(count) {
      let record = try reader.record(number)
      guard !records.contains(where: { $0.pattern == record.pattern }) else {
        throw reader.damaged("record \(number)", "the pattern \(record.pattern) is there already")
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
}

/// Reads the records of a TDL2048+ file and steps over their tables.
struct RecordReader {
  struct Record {
    let pattern: Pattern
    /// The byte at which the table starts.
    let offset: Int
    let hasFurtherTables: Bool
  }

  let file: InputFile
  private(set) var offset = 0

  init(file: InputFile) {
    self.file = file
  }

  func damaged(_ place: String, _ problem: String) -> LocatedError {
    .damaged(file.path, place, problem)
  }

  private func unsupported(_ place: String, _ problem: String, remedy: String) -> LocatedError {
    .damaged(file.path, place, problem, remedy: remedy)
  }

  mutating func byte() throws -> UInt8 {
    try number()
  }

  /// The next number, little-endian.
  mutating func number<Integer: FixedWidthInteger & UnsignedInteger>() throws -> Integer {
    let bytes = try file.bytes(at: offset, count: Integer.bitWidth / 8)
    offset += bytes.count
    return bytes.reversed().reduce(0) { $0 << 8 | Integer($1) }
  }

  /// Steps over `count` elements of `size` bytes.
  private mutating func skip(_ count: UInt64, of size: UInt16, _ place: String) throws {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: UInt64(size))
    guard !overflow, bytes <= UInt64(file.byteCount - offset) else {
      throw damaged(
        "\(place), byte \(offset)",
        "a table of \(count) elements of \(size) bytes starts here, and the file ends before it does"
      )
    }
    offset += Int(bytes)
  }

  mutating func record(_ number: Int) throws -> Record {
    let place = "record \(number)"
    let start = offset
    guard try byte() == TDL2048File.serial else {
      throw damaged("\(place), byte \(start)", "a record starts with the byte 4")
    }
    let name = try file.bytes(at: offset, count: 8)
    let sign: UInt32 = try self.number()
    let width: UInt16 = try self.number()
    let marker: UInt16 = try self.number()
    guard marker == 0 else {
      let text = String(decoding: name.filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
      throw unsupported(
        place, "holds the feature '\(text)', which is no pattern of cells",
        remedy: "only networks of patterns alone can be used")
    }
    let size: UInt16 = try self.number()
    let length: UInt64 = try self.number()
    let pattern = try pattern(sign: sign, width: Int(width), length: length, place)
    guard size == 4 else {
      throw unsupported(
        "\(place), pattern \(pattern)", "has numbers of \(size) bytes, not of 4",
        remedy: "have TDL2048+ write it in single precision (f32)")
    }
    let table = offset
    try skip(length, of: size, place)
    var hasFurtherTables = false
    while case let further:UInt16 = try self.number(), further != 0 {
      try skip(self.number(), of: further, place)
      hasFurtherTables = true
    }
    return Record(pattern: pattern, offset: table, hasFurtherTables: hasFurtherTables)
  }

  private func pattern(
    sign: UInt32, width: Int, length: UInt64, _ place: String
  ) throws -> Pattern {
    let cellCount = length.trailingZeroBitCount / 4
    guard length.nonzeroBitCount == 1, length.trailingZeroBitCount % 4 == 0,
      Pattern.cellCounts.contains(cellCount)
    else { throw damaged(place, "has \(length) entries, which is 16 to no number of cells") }
    let digits = String(sign, radix: 16)
    // Old files state no width; and one that the cells do not fit into stands for all eight digits.
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
      throw unsupported(
        place, "is a table of stage 0x\(stage) of the pattern \(padded.suffix(cellCount))",
        remedy: "only networks of one stage can be used")
    }
    do {
      return try Pattern(padded)
    } catch let error {
      throw damaged(place, "'\(padded)' is no pattern: \(error)")
    }
  }
}
