// The order of the bytes of numbers in files.

extension FixedWidthInteger {
  /// The bytes of the number, the lowest first.
  package var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }

  /// Creates the number with these bytes, the lowest first.
  package init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }
}
