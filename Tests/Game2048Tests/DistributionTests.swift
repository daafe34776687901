import Testing

@testable import Game2048

/// A source that returns given words, for draws that are very rare.
private struct ListedWords: RandomNumberGenerator {
  var words: [UInt64]

  mutating func next() -> UInt64 { words.removeFirst() }
}

@Suite struct DistributionTests {
  // MARK: Uniform

  @Test(arguments: [1...6, 0...1, -3...3, 10...10, 0...255], RandomSourceKind.allCases)
  func uniformNumbersOfASmallRangeAreEquallyLikely(
    range: ClosedRange<Int>, kind: RandomSourceKind
  ) {
    func counts(_ source: some RandomSource) -> [Int] {
      var source = source
      let distribution = UniformDistribution(range)
      var counts = [Int](repeating: 0, count: range.count)
      for _ in 0..<(500 * range.count) {
        counts[distribution.next(using: &source) - range.lowerBound] += 1
      }
      return counts
    }
    let chiSquare = counts(kind.make(seed: 77)).reduce(0.0) {
      $0 + Double(($1 - 500) * ($1 - 500)) / 500
    }
    let freedom = Double(range.count - 1)
    // The mean of a chi-square plus five standard deviations, and a margin for few degrees of freedom.
    #expect(chiSquare <= freedom + 5 * (2 * freedom).squareRoot() + 3)
  }

  @Test func drawsThatWouldBiasAreRepeated() {
    // 2^64 mod 3 is 1: of all 64-bit words, only 0 must be drawn again.
    let distribution = UniformDistribution(0...2)
    var source = ListedWords(words: [0, .max, 7])
    #expect(distribution.next(using: &source) == 2)
    #expect(source.words == [7])
    // If the range is a power of two, no draw is rejected.
    source = ListedWords(words: [0, 1])
    #expect(UniformDistribution(0...7).next(using: &source) == 0)
    #expect(source.words == [1])
  }

  @Test func aRangeOfMoreThanHalfOfAllWordsIsUnbiased() {
    // Three quarters of 2^64: without rejection every third number would be twice as likely.
    let distribution = UniformDistribution(.min...(1 << 62) - 1)
    var source = Xoshiro256(seed: 4)
    var remainders = [0, 0, 0]
    var quarters = [0, 0, 0]
    for _ in 0..<30_000 {
      let offset = UInt64(bitPattern: Int64(distribution.next(using: &source))) &+ 1 << 63
      remainders[Int(offset % 3)] += 1
      quarters[Int(offset >> 62)] += 1
    }
    for count in remainders + quarters { #expect(abs(count - 10_000) < 400) }
  }

  @Test func theWholeRangeTakesEveryWordAsItIs() {
    var source = ListedWords(words: [0, .max, 1 << 63])
    let distribution = UniformDistribution(.min ... .max)
    #expect((0..<3).map { _ in distribution.next(using: &source) } == [0, -1, .min])
  }

  @Test func unitNumbersFillTheUnitInterval() {
    var source = ListedWords(words: [0, .max, 1 << 63, 0x7FF])
    #expect(UniformDistribution.unit(using: &source) == 0)
    #expect(UniformDistribution.unit(using: &source) == 1 - 0x1p-53)
    #expect(UniformDistribution.unit(using: &source) == 0.5)
    #expect(UniformDistribution.unit(using: &source) == 0)
  }

  // MARK: Streams

  @Test func streamSeedsDiffer() {
    var seeds: Set<UInt64> = []
    for seed in 0..<UInt64(50) {
      for index in 0..<50 { seeds.insert(SplitMix64.streamSeed(seed, index)) }
    }
    #expect(seeds.count == 2_500)
  }
}
