import Foundation
import Game2048
import Testing

@testable import Play

/// Returns the share of sequences of `length` differences in which a test ever reaches a verdict.
private func verdicts(
  errorRate: Double, sequences: Int = 2_000, length: Int = 500,
  _ difference: (inout Xoshiro256) -> Double
) -> (positive: Double, negative: Double) {
  var source = Xoshiro256(seed: 4)
  var counts = (positive: 0.0, negative: 0.0)
  for _ in 0..<sequences {
    var test = SequentialTest(errorRate: errorRate)
    for _ in 0..<length where test.verdict == .undecided { test.add(difference(&source)) }
    switch test.verdict {
    case .positive: counts.positive += 1 / Double(sequences)
    case .negative: counts.negative += 1 / Double(sequences)
    case .undecided: break
    }
  }
  return counts
}

/// Draws from a lognormal distribution with median 1, mean e^(1/2) and a skewness above 6.
private func lognormal(_ source: inout Xoshiro256) -> Double {
  exp(GaussianDistribution(mean: 0, deviation: 1).next(using: &source))
}

private func isHeads(_ source: inout Xoshiro256) -> Bool { source.next() & 1 == 1 }

@Suite struct SequentialTests {
  /// Returns a rate plus two standard errors of 2,000 sequences.
  private func bound(_ rate: Double) -> Double {
    rate + 2 * (rate * (1 - rate) / 2_000).squareRoot()
  }

  @Test(arguments: [0.05, 0.2])
  func equalPlayersAreHardlyEverToldApart(errorRate: Double) {
    let gaussian = GaussianDistribution(mean: 0, deviation: 1_000)
    let nulls: [(inout Xoshiro256) -> Double] = [
      { gaussian.next(using: &$0) },
      // Skewed scores, exchanged between two players.
      { lognormal(&$0) - lognormal(&$0) },
      // Scores without a mean.
      { tan(.pi * (UniformDistribution.unit(using: &$0) - 0.5)) },
      // Lopsided differences: half of the games are won, by far more points than the others are lost.
      { lognormal(&$0) - 1 },
      { 1 - lognormal(&$0) },
      // Half of the games are draws.
      { isHeads(&$0) ? 0 : lognormal(&$0) - 1 },
    ]
    for difference in nulls {
      let rates = verdicts(errorRate: errorRate, difference)
      #expect(rates.positive + rates.negative <= bound(errorRate))
    }
    // The low rate is not because the test never reaches a verdict.
    let normal = verdicts(errorRate: errorRate, nulls[0])
    #expect(normal.positive > errorRate / 20 && normal.negative > errorRate / 20)
  }

  @Test func whoWinsLessOftenIsHardlyEverNamed() {
    // Skewed differences with mean 0: the second player wins most games.
    let skewed = verdicts(errorRate: 0.2) { lognormal(&$0) - exp(0.5) }
    #expect(skewed.positive <= bound(0.1) && skewed.negative > 0.5)
    // The first wins 51 % of the games.
    let close = verdicts(errorRate: 0.2) { UniformDistribution.unit(using: &$0) - 0.49 }
    #expect(close.negative <= bound(0.1))
  }

  @Test func betterPlayersAreFound() {
    let gaussian = GaussianDistribution(mean: 0.5, deviation: 1)
    let found = verdicts(errorRate: 0.05, sequences: 100) { gaussian.next(using: &$0) }
    #expect(found.positive > 0.99 && found.negative == 0)
    let worse = verdicts(errorRate: 0.05, sequences: 100) { 1 - 3 * lognormal(&$0) }
    #expect(worse.negative > 0.99 && worse.positive == 0)
  }

  @Test func theEvidenceIsTheDocumentedOne() {
    #expect(abs(SequentialTest.evidence(0, 0) - 1) < 1e-12)
    // One win gives 1 plus the mean of the bets 1/2, 1/4, … 1/64, and one loss 1 minus it.
    let mean = (1 - 1.0 / 64) / 6
    #expect(abs(SequentialTest.evidence(1, 0) - (1 + mean)) < 1e-12)
    #expect(abs(SequentialTest.evidence(0, 1) - (1 - mean)) < 1e-12)
    // A fair game does not change the wealth on average.
    for (wins, losses) in [(0, 0), (3, 1), (20, 40), (500, 400)] {
      let now = SequentialTest.evidence(wins, losses)
      let next =
        (SequentialTest.evidence(wins + 1, losses) + SequentialTest.evidence(wins, losses + 1)) / 2
      #expect(abs(next / now - 1) < 1e-9)
    }
  }

  @Test func aVerdictFallsWhenTheEvidenceIsThereAndStays() {
    // With wins alone, 1.5^n / 6 plus the contribution of the smaller bets reaches 2 / 0.05.
    var test = SequentialTest(errorRate: 0.05)
    var games = 0
    while test.verdict == .undecided {
      #expect(SequentialTest.evidence(games, 0) < 40)
      test.add(10)
      games += 1
    }
    #expect(SequentialTest.evidence(games, 0) >= 40 && games == 14)
    #expect(test.verdict == .positive)
    for _ in 0..<1_000 { test.add(-10) }
    #expect(test.verdict == .positive)
  }

  @Test func noOneIsNamedWhoseMeanIsLower() {
    // Nine wins by one point and one loss by twenty, repeated.
    var test = SequentialTest(errorRate: 0.05)
    for game in 0..<1_000 { test.add(game % 10 == 0 ? -20 : 1) }
    #expect(SequentialTest.evidence(900, 100) > 40)
    #expect(test.verdict == .undecided)
  }

  @Test func playersThatAlwaysScoreAlikeAreUndecided() {
    var test = SequentialTest(errorRate: 0.05)
    for _ in 0..<200 { test.add(0) }
    #expect(test.verdict == .undecided)
  }
}

@Suite struct StoppingRuleTests {
  @Test func gamesEndWhenAllComparisonsAreDecided() throws {
    let contestants = try ["random", "rules", "greedy"].map { try contestant($0) }
    func run(_ threads: Int, games: Int = 2_000) -> ArenaResult {
      Arena.run(
        contestants: contestants, games: games, seed: 6, threads: threads,
        stopping: StoppingRule(players: 3, errorRate: 0.05))
    }
    let one = run(1)
    let rule = try #require(one.stopping)
    #expect(rule.isDecided)
    #expect(one.games == rule.games && 10 <= one.games && one.games < 2_000)
    #expect(rule.decisions.compactMap(\.games).max() == one.games)
    // The other two play better than random, and the last of the three pairs is decided last.
    #expect(rule.decisions[0].better == 1 && rule.decisions[1].better == 2)
    for threads in [2, 3] {
      let other = run(threads)
      #expect(other.outcomes == one.outcomes)
      #expect(other.stopping?.decisions == rule.decisions)
    }
    // The games are the first ones of a run without the rule.
    let all = Arena.run(contestants: contestants, games: one.games, seed: 6, threads: 2)
    #expect(all.outcomes == one.outcomes)

    let report = ArenaReport(one)
    let sequential = try #require(report.sequential)
    #expect(sequential.errorRate == 0.05)
    #expect(sequential.decisions.map(\.a) == ["random", "random", "rules"])
    #expect(sequential.decisions[0].better == "rules")
    #expect(ArenaReport(all).sequential == nil)
  }

  @Test func equalPlayersPlayAllGames() throws {
    let twins = try ["a", "b"].map { try contestant("greedy", name: $0) }
    let result = Arena.run(
      contestants: twins, games: 60, seed: 6, threads: 2,
      stopping: StoppingRule(players: 2, errorRate: 0.05))
    #expect(result.games == 60)
    let decision = try #require(result.stopping?.decisions.first)
    #expect(decision.better == nil && decision.games == nil)
  }

  @Test func errorRatesAreSharedOut() {
    // One of three pairs has a third of the error rate, so it takes more games to decide.
    func games(_ players: Int) -> Int {
      var rule = StoppingRule(players: players, errorRate: 0.05)
      var source = Xoshiro256(seed: 1)
      while rule.decisions[0].better == nil {
        let better = Int(source.next() % 100) + 20
        rule.add([better, Int(source.next() % 100)] + Array(repeating: 50, count: players - 2))
      }
      return rule.games
    }
    #expect(games(2) < games(3))
  }
}
