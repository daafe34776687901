import Basics

/// Makes the lengths and checksums of changed files of recorded games valid.
enum RecordingRepair {
  /// Returns the file with a valid frame; nil if it has no header.
  static func repaired(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 16, let end = SafetensorsRepair.endOfObject(in: bytes, from: 16) else {
      return nil
    }
    var file = Array(bytes[..<12]) + littleEndian(end - 16) + bytes[16..<end]
    file += littleEndian(Int(CRC32C.checksum(file)))
    var rest = bytes[end...].dropFirst(4)
    while rest.count >= 20 {
      let start = file.count
      let first = rest.startIndex
      let stated = (0..<4).reduce(0) { $0 | Int(rest[first + 12 + $1]) << (8 * $1) }
      let length = min(stated, rest.count - 20)
      file += rest[first..<first + 12] + littleEndian(length)
      file += rest[first + 16..<first + 16 + length]
      file += littleEndian(Int(CRC32C.checksum(file[start...])))
      rest = rest.dropFirst(20 + length)
    }
    return file + rest
  }

  private static func littleEndian(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
