import Basics

/// A safetensors file that is open for reading, with a validated header.
///
/// Thread safety: any number of threads may read concurrently.
package struct SafetensorsFile: Sendable {
  /// The path of the file.
  package let path: String
  /// The header of the file.
  package let header: SafetensorsHeader
  /// The offset of the tensors in the file, in bytes.
  package let dataStart: Int
  /// The length of the file, in bytes.
  package var byteCount: Int { file.byteCount }

  private let file: InputFile

  /// Opens a file and validates its header and length, without reading the tensors.
  ///
  /// - Parameter limit: The limit on the bytes of the header.
  /// - Throws: `LocatedError` if the file cannot be read or is invalid.
  package init(path: String, limit: InputLimit = .weightHeader) throws {
    self.path = path
    file = try InputFile(path: path)
    let lengthByteCount = SafetensorsHeader.lengthByteCount
    guard file.byteCount >= lengthByteCount else {
      throw LocatedError.damaged(
        path, "byte \(file.byteCount)", "the file ends before its header")
    }
    let length = UInt64(littleEndianBytes: try file.bytes(at: 0, count: lengthByteCount))
    guard length <= UInt64(file.byteCount - lengthByteCount) else {
      throw LocatedError.damaged(
        path, "byte 0",
        "the header would have \(length) bytes, but the file has only \(file.byteCount)")
    }
    try limit.require(Int(length), path: path, place: "byte 0")
    dataStart = lengthByteCount + Int(length)
    header = try SafetensorsHeader(
      json: file.bytes(at: lengthByteCount, count: Int(length)),
      dataByteCount: file.byteCount - dataStart, path: path)
  }

  /// Fills `buffer` with the bytes at `offset`, relative to ``dataStart``.
  @unsafe
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    unsafe try file.read(into: buffer, at: dataStart + offset)
  }

  /// Throws unless the header states this checksum of the tensors.
  func requireChecksum(_ actual: String) throws {
    let stated = header.metadata[MetadataKey.checksum] ?? "none"
    guard actual == stated else {
      throw LocatedError.damaged(
        path, "tensors", "their checksum is \(actual), but the header states \(stated)")
    }
  }
}
