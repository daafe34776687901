/// xoshiro256++ 1.0, the default source: 256 bits of state, period 2^256 − 1.
///
/// ``SplitMix64`` fills the state from a seed, as the authors recommend.
///
/// Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021.
public struct Xoshiro256: RandomSource {
  @usableFromInline var s0: UInt64
  @usableFromInline var s1: UInt64
  @usableFromInline var s2: UInt64
  @usableFromInline var s3: UInt64

  /// Creates a source from `seed`.
  @inlinable
  public init(seed: UInt64) {
    var seeder = SplitMix64(seed: seed)
    s0 = seeder.next()
    s1 = seeder.next()
    s2 = seeder.next()
    s3 = seeder.next()
  }

  /// Returns the next 64 bits.
  @inlinable
  @inline(__always)
  public mutating func next() -> UInt64 {
    let sum = s0 &+ s3
    let result = ((sum << 23) | (sum >> 41)) &+ s0
    let shifted = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << 45) | (s3 >> 19)
    return result
  }

  /// The four words of the state.
  public var state: [UInt64] { [s0, s1, s2, s3] }

  /// Restores a source from its state, or returns nil if `state` is not valid.
  public init?(state: [UInt64]) {
    // A state of zeros would yield only zeros.
    guard state.count == 4, state.contains(where: { $0 != 0 }) else { return nil }
    s0 = state[0]
    s1 = state[1]
    s2 = state[2]
    s3 = state[3]
  }
}

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
