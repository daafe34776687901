import Game2048

/// Boards for tests, the same in every run.
public enum SampleBoards {
  /// `count` boards of all degrees of filling, with exponents up to `largestExponent`.
  public static func random(
    _ count: Int, largestExponent: Int = 11, size: Int = 4, seed: UInt64 = 1
  ) -> [Board] {
    var source = CounterSource(seed: seed)
    return (0..<count).map { _ in
      var board = Board()
      let filling = Int.random(in: 2...16, using: &source)
      for cell in 0..<Board.cellCount where cell / 4 < size && cell % 4 < size {
        if Int.random(in: 1...16, using: &source) <= filling {
          board[cell] = Int.random(in: 1...largestExponent, using: &source)
        }
      }
      return board
    }
  }
}

/// A small generator of its own, so that test data stays what it is when the library's change.
struct CounterSource: RandomNumberGenerator {
  private var counter: UInt64

  init(seed: UInt64) { counter = seed }

  mutating func next() -> UInt64 {
    counter &+= 0xD1B5_4A32_D192_ED03
    var bits = counter
    bits = (bits ^ (bits >> 32)) &* 0xDABA_0B6E_B093_22E3
    bits = (bits ^ (bits >> 32)) &* 0xDABA_0B6E_B093_22E3
    return bits ^ (bits >> 32)
  }
}
