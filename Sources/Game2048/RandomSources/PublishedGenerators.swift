/// The key stream of ARC4 without its first bytes, which reveal information about the key.
///
/// A 64-bit word is the next eight bytes of the key stream, with the first in the lowest bits. A seed
/// is a key of eight bytes, lowest byte first. Use it for games only: as a cipher, ARC4 is broken.
///
/// Source: RFC 6229 (test vectors); Mironov, "(Not so) random shuffles of RC4", 2002, for the number
/// of bytes to drop.
public struct ARC4: RandomSource {
  @usableFromInline var permutation: [UInt8]
  @usableFromInline var first: UInt8 = 0
  @usableFromInline var second: UInt8 = 0

  /// Creates a source from `seed`, dropping the usual number of bytes.
  public init(seed: UInt64) {
    self.init(key: (0..<8).map { UInt8(truncatingIfNeeded: seed >> (8 * $0)) })
  }

  /// Creates a source from a key, dropping the first `count` bytes.
  ///
  /// - Precondition: `key` has 1 to 256 bytes, and `count` is not negative.
  public init(key: [UInt8], dropping count: Int = 768) {
    precondition((1...256).contains(key.count), "a key has 1 to 256 bytes")
    precondition(count >= 0, "the number of dropped bytes is not negative")
    permutation = (0...255).map { UInt8($0) }
    var other: UInt8 = 0
    for place in 0..<256 {
      other = other &+ permutation[place] &+ key[place % key.count]
      permutation.swapAt(place, Int(other))
    }
    for _ in 0..<count { _ = nextByte() }
  }

  /// Returns the next byte of the key stream.
  @inlinable
  public mutating func nextByte() -> UInt8 {
    first &+= 1
    let ahead = permutation[Int(first)]
    second &+= ahead
    let behind = permutation[Int(second)]
    permutation[Int(first)] = behind
    permutation[Int(second)] = ahead
    return permutation[Int(ahead &+ behind)]
  }

  /// Returns the next 64 bits.
  @inlinable
  public mutating func next() -> UInt64 {
    var word: UInt64 = 0
    for place in 0..<UInt64(8) { word |= UInt64(nextByte()) << (8 * place) }
    return word
  }

  /// The permutation in 32 words of eight bytes, then a word with the two counters. The first byte of
  /// a word is the lowest.
  public var state: [UInt64] {
    let words = (0..<32).map { word in
      (0..<8).reduce(UInt64(0)) { $0 | UInt64(permutation[8 * word + $1]) << (8 * $1) }
    }
    return words + [UInt64(first) | UInt64(second) << 8]
  }

  /// Restores a source from its state, or returns nil if `state` is not valid.
  public init?(state: [UInt64]) {
    guard state.count == 33, state[32] < 1 << 16 else { return nil }
    permutation = state.prefix(32).flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    first = UInt8(truncatingIfNeeded: state[32])
    second = UInt8(truncatingIfNeeded: state[32] >> 8)
    guard Set(permutation).count == 256 else { return nil }
    // Finney's short cycles: no key leads into one, and none of them leads out.
    guard second != first &+ 1 || permutation[Int(second)] != 1 else { return nil }
  }
}

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

/// The 64-bit Mersenne Twister, MT19937-64: 19937 bits of state, period 2^19937 − 1.
///
/// A seed gives the same sequence as `std::mt19937_64`.
///
/// Source: Nishimura, "Tables of 64-bit Mersenne twisters", 2000; constants and seeding of the
/// reference `mt19937-64.c`.
public struct MersenneTwister64: RandomSource {
  /// The number of words of the recurrence.
  @usableFromInline static let wordCount = 312
  /// The distance of the middle term of the recurrence.
  private static let middle = 156
  /// The recurrence joins the upper 33 bits of one word with the lower 31 bits of the next.
  private static let upperBits: UInt64 = 0xFFFF_FFFF_8000_0000

  @usableFromInline var words: [UInt64]
  /// The index of the next word to return, or `wordCount` if a new block is due.
  @usableFromInline var position: Int

  /// Creates a source from `seed`.
  public init(seed: UInt64) {
    words = [seed]
    words.reserveCapacity(MersenneTwister64.wordCount)
    for place in 1..<MersenneTwister64.wordCount {
      let last = words[place - 1]
      words.append(6_364_136_223_846_793_005 &* (last ^ (last >> 62)) &+ UInt64(place))
    }
    position = MersenneTwister64.wordCount
  }

  /// Creates a source from a key of any number of words (`init_by_array64`).
  ///
  /// - Precondition: `key` is not empty.
  public init(key: [UInt64]) {
    precondition(!key.isEmpty, "a key has at least one word")
    self.init(seed: 19_650_218)
    let count = MersenneTwister64.wordCount
    var place = 1
    func mixed(_ words: [UInt64], _ multiplier: UInt64) -> UInt64 {
      let last = words[place - 1]
      return words[place] ^ ((last ^ (last >> 62)) &* multiplier)
    }
    func advance(_ words: inout [UInt64]) {
      place += 1
      if place == count {
        words[0] = words[count - 1]
        place = 1
      }
    }
    for step in 0..<max(count, key.count) {
      let keyPlace = step % key.count
      words[place] =
        mixed(words, 3_935_559_000_370_003_845) &+ key[keyPlace] &+ UInt64(keyPlace)
      advance(&words)
    }
    for _ in 0..<(count - 1) {
      words[place] = mixed(words, 2_862_933_555_777_941_757) &- UInt64(place)
      advance(&words)
    }
    // Of the first word only the top bits count. Setting one keeps the state from being all zero.
    words[0] = 1 << 63
  }

  /// Returns the next 64 bits.
  @inlinable
  public mutating func next() -> UInt64 {
    if position == MersenneTwister64.wordCount { makeBlock() }
    var word = words[position]
    position += 1
    word ^= (word >> 29) & 0x5555_5555_5555_5555
    word ^= (word << 17) & 0x71D6_7FFF_EDA6_0000
    word ^= (word << 37) & 0xFFF7_EEE0_0000_0000
    return word ^ (word >> 43)
  }

  /// Replaces all words with the next block of the recurrence.
  @usableFromInline
  mutating func makeBlock() {
    let count = MersenneTwister64.wordCount
    for place in 0..<count {
      let following = words[place + 1 < count ? place + 1 : 0]
      let joined =
        (words[place] & MersenneTwister64.upperBits)
        | (following & ~MersenneTwister64.upperBits)
      let far = place + MersenneTwister64.middle
      let twisted = (joined >> 1) ^ (joined & 1 == 0 ? 0 : 0xB502_6F5A_A966_19E9)
      words[place] = words[far < count ? far : far - count] ^ twisted
    }
    position = 0
  }

  /// The 312 words of the recurrence and the index of the next one to return.
  public var state: [UInt64] { words + [UInt64(position)] }

  /// Restores a source from its state, or returns nil if `state` is not valid.
  public init?(state: [UInt64]) {
    let count = MersenneTwister64.wordCount
    guard state.count == count + 1, state[count] <= UInt64(count) else { return nil }
    words = Array(state.prefix(count))
    position = Int(state[count])
    // Of the first word only the upper bits count. A state of zeros would yield only zeros.
    guard
      words[0] & MersenneTwister64.upperBits != 0 || words.dropFirst().contains(where: { $0 != 0 })
    else { return nil }
  }
}
