/// The checksum CRC-32C (Castagnoli).
package enum CRC32C {
  /// The remainder of each byte value.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { remainder, _ in
      remainder & 1 == 1 ? remainder >> 1 ^ 0x82F6_3B78 : remainder >> 1
    }
  }

  /// Returns the checksum of bytes.
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    let table = table
    var remainder = ~UInt32(0)
    for byte in bytes {
      remainder = remainder >> 8 ^ table[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)]
    }
    return ~remainder
  }
}
