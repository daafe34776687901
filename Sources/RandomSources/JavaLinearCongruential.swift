/// The 48-bit linear congruential generator of `java.util.Random`; 64-bit words are its `nextLong`.
///
/// `x' = 0x5DEECE66D · x + 11 (mod 2^48)`, of which the upper bits are given out. It is here so that
/// sequences can be compared with other platforms; its low quality makes it a poor default. A
/// `nextLong` takes only 48 bits of state, so most 64-bit words never occur.
///
/// Source: the specification of `java.util.Random`.
public struct JavaLinearCongruential: RandomSource {
  public static let name = "java-lcg48"

  @usableFromInline static let multiplier: UInt64 = 0x5_DEEC_E66D
  @usableFromInline static let increment: UInt64 = 11
  @usableFromInline static let mask: UInt64 = (1 << 48) - 1

  @usableFromInline var value: UInt64

  /// The sequence of `new Random(seed)`, the seed's bits read as a `long`.
  @inlinable
  public init(seed: UInt64) {
    value = (seed ^ JavaLinearCongruential.multiplier) & JavaLinearCongruential.mask
  }

  /// The next 64 bits: `nextLong()`.
  @inlinable
  public mutating func next() -> UInt64 {
    let high = Int64(nextInt())
    let low = Int64(nextInt())
    // The low half is signed, as it is in Java, and so borrows from the high half.
    return UInt64(bitPattern: (high << 32) &+ low)
  }

  /// The next 32 bits: `nextInt()`.
  @inlinable
  public mutating func nextInt() -> Int32 {
    value =
      (value &* JavaLinearCongruential.multiplier &+ JavaLinearCongruential.increment)
      & JavaLinearCongruential.mask
    return Int32(truncatingIfNeeded: value >> 16)
  }

  /// The 48 bits of the recurrence.
  public var state: [UInt64] { [value] }

  public init?(state: [UInt64]) {
    guard state.count == 1, state[0] <= JavaLinearCongruential.mask else { return nil }
    value = state[0]
  }
}
