import Basics
import ModelFiles

/// Makes changed safetensors files valid in everything that hides their content from a parser: the length of
/// the header, the length of the data and the checksums.
enum SafetensorsRepair {
  /// Returns the file with a valid frame; nil if its header is not an object with metadata.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - change: A further change of the metadata.
  static func repaired(
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
    unsafe data.withUnsafeBytes { unsafe checksum.update($0) }
    metadata[MetadataKey.checksum] = checksum.finalized()
    metadata[MetadataKey.metadataChecksum] = Checksum.of(
      metadata, excluding: MetadataKey.metadataChecksum)
    members["__metadata__"] = .object(metadata.mapValues(JSONValue.string))
    let header = Array(JSONValue.object(members).text.utf8)
    return (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) } + header + data
  }

  /// Returns the index after the JSON object that starts at `start`; nil if it does not end.
  static func endOfObject(in bytes: [UInt8], from start: Int) -> Int? {
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
