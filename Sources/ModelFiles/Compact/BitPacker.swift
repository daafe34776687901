/// A writer that packs numbers of a few bits each into bytes, lowest bit first.
struct BitPacker {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt32 = 0
  private var pendingBits = 0

  /// Appends the lowest `count` bits of `value`; `count` is at most 8.
  mutating func append(_ value: UInt32, count: Int) {
    pending |= (value & ((1 << UInt32(count)) - 1)) << UInt32(pendingBits)
    pendingBits += count
    if pendingBits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }

  /// Returns and removes the complete bytes.
  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Fills the last byte with zero bits.
  mutating func finish() {
    if pendingBits > 0 { append(0, count: 8 - pendingBits) }
  }
}

/// A reader of numbers that a ``BitPacker`` has packed.
struct BitUnpacker {
  private var pending: UInt32 = 0
  private var pendingBits = 0

  /// Returns the next `count` bits, at most 8; calls `nextByte` when it needs a further byte.
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

  /// Returns the number of bytes still to be read for `values` numbers of `count` bits each.
  func byteCount(values: Int, count: Int) -> Int {
    max(0, (values * count - pendingBits + 7) / 8)
  }
}
