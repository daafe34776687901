import Testing

@testable import Play

@Suite struct VerdictTests {
  private func verdict(
    _ difference: Double, _ low: Double, _ high: Double, comparisons: Int = 1,
    samples: Int = 1_000_000
  ) -> Verdict {
    Verdict(
      difference, ConfidenceInterval(low: low, high: high), comparisons: comparisons,
      samples: samples)
  }

  @Test func oneComparisonIsDecidedByItsInterval() {
    #expect(verdict(10, 0.1, 20) == .better)
    #expect(verdict(-10, -20, -0.1) == .worse)
    #expect(verdict(10, 0.1, 20).text("game") == "better")
    // With half of the difference, four times the samples are needed.
    #expect(verdict(5, -5, 15, samples: 1_000) == .open(more: 3_000))
    #expect(verdict(-5, -15, 5, samples: 1_000).text("game") == "open: about 3,000 more games")
    #expect(verdict(10, -0.0001, 20).text("game") == "open: about 21 more games")
  }

  @Test func severalComparisonsWidenTheIntervals() {
    // The quantiles for 2.5 % and 0.25 % of the normal distribution are 1.96 and 2.807.
    #expect(verdict(10, 10 - 10 * 1.96 / 2.82, 20, comparisons: 10) == .better)
    #expect(verdict(10, 10 - 10 * 1.96 / 2.80, 20, comparisons: 10) != .better)
  }

  @Test func fewSamplesWidenThemMore() {
    // The quantiles of Student's distribution with two degrees of freedom are 4.303 for 2.5 % and 6.205 for 1.25 %.
    #expect(verdict(10, 10 - 10 * 4.303 / 6.2, 20, comparisons: 2, samples: 3) != .better)
    #expect(verdict(10, 10 - 10 * 4.303 / 6.21, 20, comparisons: 2, samples: 3) == .better)
  }

  @Test func nothingIsDecidedByNothing() {
    #expect(verdict(0, 0, 0) == .open(more: nil))
    #expect(verdict(7, 7, 7, samples: 1).text("game") == "open")
    #expect(verdict(1e-9, -100, 100).text("game") == "open")
    #expect(Verdict.open(more: 1).text("seed") == "open: about 1 more seed")
  }
}
