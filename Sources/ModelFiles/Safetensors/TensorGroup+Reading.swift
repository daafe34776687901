import Basics
import NTupleNetwork

extension TensorGroup {
  /// Reads all tensors of a file with a validated header, and verifies their checksum.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - names: The names of the groups, in the order of the file.
  ///   - shape: The shape of the network.
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
        unsafe try withBlock(order.blockEntryCount) { block in
          for number in 0..<order.blockCount {
            let bytes = UnsafeMutableRawBufferPointer(block)
            unsafe try file.read(into: bytes, at: offset)
            offset += bytes.count
            unsafe checksum.update(UnsafeRawBufferPointer(block))
            if let entry = unsafe firstOutOfRange(block) {
              throw outOfRange(
                unsafe block[entry], entry: number * block.count + entry, table: table,
                group: name, path: file.path,
                remedy: "weights must lie within ±1e30; use another checkpoint")
            }
            // New tables are zero. Pages that are not written take no memory.
            guard let groups, unsafe !isZero(UnsafeRawBufferPointer(block)) else { continue }
            unsafe groups[place].withUnsafeWeights { values in
              unsafe order.scatter(
                block, number: number,
                into: UnsafeMutableBufferPointer(
                  rebasing: values[table.offset..<(table.offset + table.pattern.entryCount)]))
            }
          }
        }
      }
    }
    let stated = file.header.metadata[MetadataKey.checksum] ?? "none"
    guard checksum.finalized() == stated else {
      throw LocatedError.damaged(
        file.path, "tensors",
        "their checksum is \(checksum.finalized()), but the header states \(stated)")
    }
  }
}
