import Basics
import NTupleNetwork

extension TDL2048File {
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
    var patterns: Set<Pattern> = []
    for number in 1...Int(count) {
      let record = try reader.record(number)
      guard patterns.insert(record.pattern).inserted else {
        throw reader.damaged("record \(number)", "has the pattern \(record.pattern) again")
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
