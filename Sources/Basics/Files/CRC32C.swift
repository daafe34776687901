/// The remainder of each byte value.
private let remainders: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { remainder, _ in
    remainder & 1 == 1 ? remainder >> 1 ^ 0x82F6_3B78 : remainder >> 1
  }
}

/// Returns the checksum CRC-32C (Castagnoli) of bytes.
package func crc32C(_ bytes: some Sequence<UInt8>) -> UInt32 {
  let remainders = remainders
  var remainder = ~UInt32(0)
  for byte in bytes {
    remainder = remainder >> 8 ^ remainders[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)]
  }
  return ~remainder
}
