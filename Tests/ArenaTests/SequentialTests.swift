import Arena
import Foundation
import RandomSources
import Search
import Testing

/// The share of sequences of `length` differences in which a test ever gives a verdict.
private func verdicts(
  errorRate: Double, sequences: Int = 1_000, length: Int = 500,
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

/// A number of an exponential distribution of mean 1: of skewness 2, more than scores have.
private func exponential(_ source: inout Xoshiro256) -> Double {
  -log(1 - UniformDistribution.unit(using: &source))
}

@Suite struct SequentialTests {
  @Test(arguments: [0.05, 0.2])
  func equalPlayersAreHardlyEverToldApart(errorRate: Double) {
    // Two standard errors of 1,000 sequences above the rate.
    let bound = errorRate + 2 * (errorRate * (1 - errorRate) / 1_000).squareRoot()
    let gaussian = GaussianDistribution(mean: 0, deviation: 1_000)
    // Scores that are normal, skewed, and of no finite mean at all, exchanged between two players.
    let normal = verdicts(errorRate: errorRate) { gaussian.next(using: &$0) }
    let skewed = verdicts(errorRate: errorRate) { exponential(&$0) - exponential(&$0) }
    let wild = verdicts(errorRate: errorRate) {
      tan(.pi * (UniformDistribution.unit(using: &$0) - 0.5))
    }
    for rates in [normal, skewed, wild] { #expect(rates.positive + rates.negative <= bound) }
    // Not because the test never speaks.
    #expect(normal.positive > 0.005 && normal.negative > 0.005)
    // Differences of mean 0 that are skewed themselves.
    let lopsided = verdicts(errorRate: errorRate) { exponential(&$0) - 1 }
    #expect(lopsided.positive + lopsided.negative <= bound)
  }

  @Test func betterPlayersAreFound() {
    let gaussian = GaussianDistribution(mean: 0.5, deviation: 1)
    let found = verdicts(errorRate: 0.05, sequences: 100) { gaussian.next(using: &$0) }
    #expect(found.positive > 0.99 && found.negative == 0)
    let worse = verdicts(errorRate: 0.05, sequences: 100) { 0.5 - exponential(&$0) }
    #expect(worse.negative > 0.99 && worse.positive == 0)
  }

  @Test func theFirstLookIsAfterThirtyGames() {
    var test = SequentialTest(errorRate: 0.05)
    for _ in 1..<SequentialTest.firstLook {
      test.add(10)
      #expect(test.verdict == .undecided)
    }
    test.add(10)
    #expect(test.verdict == .positive)
    // A verdict stays.
    for _ in 0..<1_000 { test.add(-10) }
    #expect(test.verdict == .positive)
  }

  @Test func theBoundIsTheDocumentedOne() {
    // Differences of ±1 have V = n. With x = 2 log(1/α), ρ is 200 / (x + log(1 + x)).
    let x = 2 * log(20.0)
    let scale = 200 / (x + log(1 + x))
    var test = SequentialTest(errorRate: 0.05)
    for _ in 0..<50 {
      test.add(1)
      test.add(-1)
    }
    var sum = 0.0
    while test.verdict == .undecided {
      let total = 100 + sum + scale
      #expect(sum * sum <= total * (log(total / scale) + x))
      test.add(1)
      sum += 1
    }
    let total = 100 + sum + scale
    #expect(sum * sum > total * (log(total / scale) + x))
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
    #expect(one.games == rule.games && 30 <= one.games && one.games < 2_000)
    #expect(rule.decisions.compactMap(\.games).max() == one.games)
    // Both of the others play better than random, and the last of the three was decided last.
    #expect(rule.decisions[0].better == 1 && rule.decisions[1].better == 2)
    for threads in [2, 3] {
      let other = run(threads)
      #expect(other.outcomes == one.outcomes)
      #expect(other.stopping?.decisions == rule.decisions)
    }
    // The games are the first ones of those without the rule.
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
    // One pair of three shares the rate with two others, so it takes more games to decide.
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
