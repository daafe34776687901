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
