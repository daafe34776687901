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

  // MARK: Gaussian

  /// The mean, standard deviation, skewness and kurtosis of draws.
  private func moments(_ values: [Double]) -> (Double, Double, Double, Double) {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    func central(_ power: Int) -> Double {
      values.reduce(0) { sum, value in
        sum + (0..<power).reduce(1.0) { product, _ in product * (value - mean) }
      } / count
    }
    let deviation = central(2).squareRoot()
    return (
      mean, deviation, central(3) / (central(2) * deviation),
      central(4) / (central(2) * central(2))
    )
  }

  @Test(arguments: RandomSourceKind.allCases, [(0.0, 1.0), (-20, 0.5), (1_000, 250)])
  func gaussianMoments(kind: RandomSourceKind, parameters: (mean: Double, deviation: Double)) {
    var source = kind.make(seed: 12)
    let gaussian = GaussianDistribution(
      mean: parameters.mean, deviation: parameters.deviation)
    let values = (0..<50_000).map { _ in gaussian.next(using: &source) }
    let (mean, deviation, skewness, kurtosis) = moments(values)
    #expect(abs(mean - parameters.mean) < 0.02 * parameters.deviation)
    #expect(abs(deviation / parameters.deviation - 1) < 0.015)
    #expect(abs(skewness) < 0.05)
    #expect(abs(kurtosis - 3) < 0.1)
    func share(within deviations: Double) -> Double {
      let near = values.filter {
        abs($0 - parameters.mean) <= deviations * parameters.deviation
      }
      return Double(near.count) / Double(values.count)
    }
    #expect(abs(share(within: 1) - 0.6827) < 0.01)
    #expect(abs(share(within: 2) - 0.9545) < 0.005)
    #expect(abs(share(within: 3) - 0.9973) < 0.001)
  }

  @Test func aRangeHasThreeDeviationsAtItsEndsAndClamps() {
    let gaussian = GaussianDistribution(range: -10...50)
    #expect(gaussian.mean == 20)
    #expect(abs(gaussian.deviation - 10) < 1e-12)
    var source = Xoshiro256(seed: 8)
    let values = (0..<100_000).map { _ in gaussian.next(using: &source) }
    let (mean, deviation, _, _) = moments(values)
    #expect(abs(mean - 20) < 0.15)
    #expect(abs(deviation - 10) < 0.15)
    #expect(values.allSatisfy { -10 <= $0 && $0 <= 50 })
    // 0.135 % of the draws at either end.
    #expect((90...180).contains(values.filter { $0 == -10 }.count))
    #expect((90...180).contains(values.filter { $0 == 50 }.count))
  }

  @Test func wholeGaussianNumbersAreRounded() {
    let gaussian = GaussianDistribution(range: 1...20)
    var source = Xoshiro256(seed: 8)
    var same = source
    var seen: Set<Int> = []
    for _ in 0..<20_000 {
      let number = gaussian.nextInteger(using: &source)
      #expect(number == Int(gaussian.next(using: &same).rounded()))
      seen.insert(number)
    }
    #expect(seen == Set(1...20))
  }

  @Test func noDeviationIsTheMean() {
    var source = Xoshiro256(seed: 8)
    #expect(GaussianDistribution(mean: 3, deviation: 0).next(using: &source) == 3)
    #expect(GaussianDistribution(range: 4...4).next(using: &source) == 4)
  }

  @Test func aSavedSourceSavesTheGaussianToo() throws {
    let gaussian = GaussianDistribution(mean: 0, deviation: 1)
    var source = Xoshiro256(seed: 3)
    _ = gaussian.next(using: &source)
    var restored = try #require(Xoshiro256(state: source.state))
    for _ in 0..<50 {
      #expect(gaussian.next(using: &source) == gaussian.next(using: &restored))
    }
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
