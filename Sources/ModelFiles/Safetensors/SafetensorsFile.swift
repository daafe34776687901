import Basics

/// A safetensors file open for reading, its header read and validated.
///
/// Thread safety: any number of threads may read.
public struct SafetensorsFile: Sendable {
  public let path: String
  public let header: SafetensorsHeader
  /// The byte of the file at which the tensors start.
  public let dataStart: Int
  /// The length of the file, in bytes.
  public var byteCount: Int { file.byteCount }

  private let file: InputFile

  /// Opens a file and checks that header and length agree; the tensors are not read.
  ///
  /// - Throws: ``LocatedError``.
  public init(path: String) throws {
    self.path = path
    file = try InputFile(path: path)
    let lengthByteCount = SafetensorsHeader.lengthByteCount
    guard file.byteCount >= lengthByteCount else {
      throw LocatedError.damaged(
        path, "byte \(file.byteCount)", "the file ends before its header")
    }
    let length = try file.bytes(at: 0, count: lengthByteCount)
      .reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length <= UInt64(SafetensorsHeader.largestByteCount) else {
      throw LocatedError.damaged(
        path, "byte 0", "a header of \(length) bytes is longer than any, so this is no such file",
        remedy: "check that the path names a weight file")
    }
    guard Int(length) <= file.byteCount - lengthByteCount else {
      throw LocatedError.damaged(
        path, "byte 0",
        "the header should have \(length) bytes, but the file has only \(file.byteCount)")
    }
    dataStart = lengthByteCount + Int(length)
    header = try SafetensorsHeader(
      json: file.bytes(at: lengthByteCount, count: Int(length)),
      dataByteCount: file.byteCount - dataStart, path: path)
  }

  /// Fills `buffer` with the bytes of the tensors from `offset` on, counted from ``dataStart``.
  @unsafe
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    unsafe try file.read(into: buffer, at: dataStart + offset)
  }

  /// The bytes of a tensor.
  ///
  /// - Throws: ``LocatedError``.
  public func bytes(of tensor: SafetensorsHeader.Tensor) throws -> [UInt8] {
    try file.bytes(at: dataStart + tensor.byteRange.lowerBound, count: tensor.byteRange.count)
  }
}
