import Game2048

/// Test boards that are the same in every run.
public enum SampleBoards {
  /// Returns `count` boards, from empty to full, with exponents up to `largestExponent`.
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

/// A small separate generator, so that changes of the library's generators do not change test data.
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
