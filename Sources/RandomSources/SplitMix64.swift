/// SplitMix64: a counter followed by a mixing function. It seeds the other sources.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014; constants
/// of Vigna's reference `splitmix64.c`.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline var counter: UInt64

  /// Creates a source from `seed`.
  @inlinable
  public init(seed: UInt64) { counter = seed }

  /// Returns the next 64 bits.
  @inlinable
  public mutating func next() -> UInt64 {
    counter &+= 0x9E37_79B9_7F4A_7C15
    return SplitMix64.mix(counter)
  }

  /// Mixes 64 bits by a bijection in which every input bit affects every output bit.
  @inlinable
  package static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns the seed of stream `index` in a family with one seed, such as the workers of a run.
  ///
  /// - Precondition: `index` is at least −1.
  @inlinable
  package static func streamSeed(_ seed: UInt64, _ index: Int) -> UInt64 {
    mix(mix(seed) &+ UInt64(index + 1) &* 0x9E37_79B9_7F4A_7C15)
  }
}
