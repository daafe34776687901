import Basics
import NTupleNetwork

extension TensorGroup {
  /// Reads all tensors of a file with a validated header, and verifies their checksum.
  ///
  /// - Parameters:
  ///   - names: The names of the groups, in the order of the file.
  ///   - groups: The destinations of the groups, all zero; nil to validate only.
  /// - Throws: `LocatedError` if a value exceeds ``largestMagnitude`` or the checksum differs.
  /// - Complexity: O(entries), and 4 MiB of memory.
  package static func read(
    _ file: SafetensorsFile, groups names: [String], shape: NetworkShape,
    into groups: [SharedWeights]?
  ) throws {
    var checksum = Checksum()
    var offset = 0
    for (place, name) in names.enumerated() {
      for table in shape.tables {
        let order = CanonicalOrder(table.pattern, boardSize: shape.boardSize)
        unsafe try (groups?[place]).withWeights(in: table.range) { values in
          unsafe try order.fill(
            values,
            damaged: {
              outOfRange(
                $1, $0, table, name, path: file.path,
                remedy: "weights must lie within ±1e30; use another checkpoint")
            }
          ) { block in
            let bytes = UnsafeMutableRawBufferPointer(block)
            unsafe try file.read(into: bytes, at: offset)
            offset += bytes.count
            unsafe checksum.update(UnsafeRawBufferPointer(block))
          }
        }
      }
    }
    let stated = file.header.metadata[MetadataKey.checksum] ?? "none"
    let actual = checksum.finalized()
    guard actual == stated else {
      throw LocatedError.damaged(
        file.path, "tensors", "their checksum is \(actual), but the header states \(stated)")
    }
  }
}
