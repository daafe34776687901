/// Numbers of a few bits each, packed into bytes from the lowest bit on.
struct BitPacker {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var pendingBits = 0

  /// Adds the lowest `count` bits of `value`, at most 8.
  mutating func append(_ value: UInt32, count: Int) {
    pending |= (value & ((1 << UInt32(count)) - 1)) << UInt32(pendingBits)
    pendingBits += count
    if pendingBits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }

  /// Takes out the bytes that are full, for those who write them away.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Fills the last byte with zeros.
  mutating func finish() {
    if pendingBits > 0 { append(0, count: 8 - pendingBits) }
  }
}

/// Reads numbers that a ``BitPacker`` has packed.
struct BitUnpacker {
  private var pending: UInt32 = 0
  private var pendingBits = 0

  /// The next `count` bits, at most 8; `nextByte` is called for a byte when one is needed.
  mutating func next(count: Int, _ nextByte: () -> UInt8) -> UInt32 {
    if pendingBits < count {
      pending |= UInt32(nextByte()) << UInt32(pendingBits)
      pendingBits += 8
    }
    defer {
      pending >>= UInt32(count)
      pendingBits -= count
    }
    return pending & ((1 << UInt32(count)) - 1)
  }

  /// The bytes still to be read for `values` numbers of `count` bits each.
  func byteCount(values: Int, count: Int) -> Int {
    max(0, (values * count - pendingBits + 7) / 8)
  }
}
