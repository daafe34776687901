/// The 48-bit linear congruential generator of `java.util.Random`.
///
/// `x' = 0x5DEECE66D · x + 11 (mod 2^48)`; the output is the upper bits. A 64-bit word is a
/// `nextLong`. This source exists so that sequences can be compared with other platforms. Its low
/// quality makes it a poor default: with only 48 bits of state, most 64-bit words never occur.
///
/// Source: the specification of `java.util.Random`.
public struct JavaLinearCongruential: RandomSource {
  @usableFromInline static let multiplier: UInt64 = 0x5_DEEC_E66D
  @usableFromInline static let increment: UInt64 = 11
  @usableFromInline static let mask: UInt64 = (1 << 48) - 1

  @usableFromInline var value: UInt64

  /// Creates the sequence of `new Random(seed)`, with the bits of the seed read as a `long`.
  @inlinable
  public init(seed: UInt64) {
    value = (seed ^ JavaLinearCongruential.multiplier) & JavaLinearCongruential.mask
  }

  /// Returns the next 64 bits, as `nextLong()` does.
  @inlinable
  public mutating func next() -> UInt64 {
    let high = Int64(nextInt())
    let low = Int64(nextInt())
    // As in Java, the low half is signed, so it can borrow from the high half.
    return UInt64(bitPattern: (high << 32) &+ low)
  }

  /// Returns the next 32 bits, as `nextInt()` does.
  @inlinable
  public mutating func nextInt() -> Int32 {
    value =
      (value &* JavaLinearCongruential.multiplier &+ JavaLinearCongruential.increment)
      & JavaLinearCongruential.mask
    return Int32(truncatingIfNeeded: value >> 16)
  }

  /// The 48 bits of the recurrence.
  public var state: [UInt64] { [value] }

  /// Restores a source from its state, or returns nil if `state` is not valid.
  public init?(state: [UInt64]) {
    guard state.count == 1, state[0] <= JavaLinearCongruential.mask else { return nil }
    value = state[0]
  }
}
