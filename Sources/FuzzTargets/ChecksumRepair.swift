import Basics
import ModelFiles

/// Makes changed files valid in everything that hides their content from a parser: the lengths of their parts and
/// the checksums.
enum ChecksumRepair {
  /// Returns a safetensors file with a valid frame and a further change of its metadata; nil if its header is not
  /// an object with metadata.
  static func safetensors(
    _ bytes: [UInt8], _ change: (inout [String: String]) -> Void = { _ in }
  ) -> [UInt8]? {
    guard bytes.count > 8, let end = endOfObject(in: bytes, from: 8),
      var members = (try? JSONParser.parse(Array(bytes[8..<end])))?.object,
      let fields = members["__metadata__"]?.object
    else { return nil }
    let ends = members.values.compactMap { $0.object?["data_offsets"]?.array?.last?.count }
    let dataCount = min(ends.max() ?? 0, 1 << 20)
    var data = Array(bytes[end...].drop { $0 == UInt8(ascii: " ") }.prefix(dataCount))
    data += [UInt8](repeating: 0, count: dataCount - data.count)

    var metadata = fields.compactMapValues(\.string)
    change(&metadata)
    var checksum = Checksum()
    checksum.update(data)
    metadata.setChecksums(tensors: checksum.finalized())
    members["__metadata__"] = .object(metadata.mapValues(JSONValue.string))
    let header = Array(JSONValue.object(members).text.utf8)
    return header.count.littleEndianBytes + header + data
  }

  /// Returns a file of recorded games with a valid frame; nil if it has no header.
  static func recording(_ bytes: [UInt8]) -> [UInt8]? {
    guard var (file, rest) = framed(bytes) else { return nil }
    while rest.count >= 20 {
      let start = file.count
      let first = rest.startIndex
      let stated = UInt32(littleEndianBytes: rest[first + 12..<first + 16])
      let length = min(Int(stated), rest.count - 20)
      file += rest[first..<first + 12] + UInt32(length).littleEndianBytes
      file += rest[first + 16..<first + 16 + length]
      file += crc32C(file[start...]).littleEndianBytes
      rest = rest.dropFirst(20 + length)
    }
    return file + rest
  }

  /// Returns an endgame table with a valid frame; nil if it has no header.
  static func table(_ bytes: [UInt8]) -> [UInt8]? {
    guard var (file, _) = framed(bytes) else { return nil }
    file += [UInt8](repeating: 0, count: (4096 - file.count % 4096) % 4096)
    return file + bytes.dropFirst(file.count)
  }

  /// Returns a header of JSON after a name, a version and its length, with its length and its checksum behind it, and
  /// the rest of the bytes; nil if there is none.
  private static func framed(_ bytes: [UInt8]) -> (header: [UInt8], rest: ArraySlice<UInt8>)? {
    guard bytes.count > 16, let end = endOfObject(in: bytes, from: 16) else { return nil }
    var header = Array(bytes[..<12]) + UInt32(end - 16).littleEndianBytes + bytes[16..<end]
    header += crc32C(header).littleEndianBytes
    return (header, bytes[end...].dropFirst(4))
  }

  /// Returns the index after the JSON object that starts at `start`; nil if it does not end.
  private static func endOfObject(in bytes: [UInt8], from start: Int) -> Int? {
    var (depth, isInString) = (0, false)
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\") where isInString: index += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString:
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return nil
  }
}
