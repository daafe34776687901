import Testing

@testable import Play

@Suite struct MeanIntervalTests {
  /// Source: the tables of Abramowitz and Stegun, 26.10.
  @Test(
    arguments: [
      (1, 0.975, 12.7062), (2, 0.975, 4.30265), (3, 0.975, 3.18245), (4, 0.975, 2.77645),
      (10, 0.975, 2.22814), (30, 0.975, 2.04227), (120, 0.975, 1.97993), (1e6, 0.975, 1.95997),
      (5, 0.9, 1.47588), (2, 0.995, 9.92484), (7, 0.5, 0),
    ] as [(Double, Double, Double)])
  func studentQuantiles(freedom: Double, probability: Double, quantile: Double) {
    let distribution = StudentDistribution(freedom: freedom)
    #expect(abs(distribution.quantile(probability) - quantile) < 6e-6 * max(1, quantile))
    #expect(abs(distribution.probability(upTo: quantile) - probability) < 1e-6)
    #expect(abs(distribution.probability(upTo: -quantile) - (1 - probability)) < 1e-6)
  }

  @Test func intervalsOfMeansByHand() throws {
    // s² = (6 + 0 + 0 + 6) / 3 = 4, so the error of the mean is 2 / √4 = 1.
    let far = 6.0.squareRoot()
    let interval = try #require(ConfidenceInterval.mean(of: [10 - far, 10, 10, 10 + far]))
    #expect(abs(interval.high - (10 + 3.18245)) < 1e-4)
    #expect(abs(interval.low - (10 - 3.18245)) < 1e-4)
    #expect(ConfidenceInterval.mean(of: [5]) == nil)
    #expect(ConfidenceInterval.mean(of: [5, 5]) == ConfidenceInterval(low: 5, high: 5))
  }

  @Test func differencesAreWelchs() throws {
    // Variances 2 and 32 of two values each: squared errors 1 and 16, and degrees of freedom
    // 17² / (1² / 1 + 16² / 1).
    let interval = try #require(ConfidenceInterval.difference(ofMeans: [1, 3], [0, 8]))
    let quantile = StudentDistribution(freedom: 289.0 / 257).quantile(0.975)
    #expect(abs(interval.high - (-2 + quantile * 17.0.squareRoot())) < 1e-9)
    #expect(abs(interval.low - (-2 - quantile * 17.0.squareRoot())) < 1e-9)
    #expect(ConfidenceInterval.difference(ofMeans: [1], [0, 8]) == nil)
    #expect(
      ConfidenceInterval.difference(ofMeans: [3, 3], [1, 1])
        == ConfidenceInterval(low: 2, high: 2))
  }
}
