/// A hash of a sequence of words.
///
/// Source: FNV-1a by Fowler, Noll and Vo, with 64-bit words instead of bytes.
struct WordHash {
  private var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x0000_0100_0000_01B3
  }

  /// The hash as 16 hexadecimal digits.
  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
