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
