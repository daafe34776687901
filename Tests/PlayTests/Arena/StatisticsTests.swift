import Foundation
import Game2048
import TestSupport
import Testing

@testable import Play

/// Draws a normal deviate by the Box–Muller transform.
private func normal(_ source: inout SplitMix64) -> Double {
  let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &source))).squareRoot()
  return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &source))
}

@Test(arguments: [8, 20, 80])
func intervalsCoverTheTruthInNineteenOfTwenty(games: Int) {
  var source = SplitMix64(seed: 17)
  var mean = 0
  var difference = 0
  var ratio = 0
  let trials = 2_000
  for trial in 0..<trials {
    // b is half as large as a, and partly correlated with it.
    var a: [Double] = []
    var b: [Double] = []
    for _ in 0..<games {
      let luck = normal(&source)
      a.append(100 + 10 * luck + 5 * normal(&source))
      b.append(50 + 5 * luck + 5 * normal(&source))
    }
    let bootstrap = PairedBootstrap([a, b], resamples: 1_000, seed: UInt64(trial))
    if bootstrap.intervalOfMean(0).contains(100) { mean += 1 }
    if bootstrap.intervalOfDifference(0, 1).contains(50) { difference += 1 }
    if bootstrap.intervalOfRatio(0, 1)!.contains(2) { ratio += 1 }
  }
  // The standard deviation of a share is 0.5 %.
  for covered in [mean, difference, ratio] {
    #expect(covered >= trials * 935 / 1000 && covered <= trials * 965 / 1000, "\(covered)")
  }
}

extension ConfidenceInterval {
  fileprivate func contains(_ value: Double) -> Bool { low <= value && value <= high }
  fileprivate var width: Double { high - low }
}

@Test func intervalsOfKnownWidth() {
  var source = SplitMix64(seed: 3)
  let a = (0..<10_000).map { _ in 1000 + 100 * normal(&source) }
  let noise = a.map { _ in normal(&source) }
  let b = zip(a, noise).map { $0 - 7 + $1 }
  let bootstrap = PairedBootstrap([a, b])
  // The standard error of the mean is 100 / √10000 = 1, so the interval is 2 · 1.96 wide.
  #expect(abs(bootstrap.intervalOfMean(0).width - 3.92) < 0.25)
  // The common part of the samples cancels: the difference is 7 with a standard error of 1 / 100.
  #expect(bootstrap.intervalOfDifference(0, 1).contains(7))
  #expect(abs(bootstrap.intervalOfDifference(0, 1).width - 0.0392) < 0.003)
  #expect(bootstrap.intervalOfDifference(1, 0).contains(-7))
  // A bootstrap is reproducible.
  #expect(PairedBootstrap([a]).intervalOfMean(0) == bootstrap.intervalOfMean(0))
}

@Test func intervalsOfFewValues() {
  // The mean of two draws from {0, 10} is 0 or 10 a quarter of the time each.
  let two = PairedBootstrap([[0, 10], [1, 1]])
  #expect(two.intervalOfMean(0) == ConfidenceInterval(low: 0, high: 10))
  #expect(two.intervalOfMean(1) == ConfidenceInterval(low: 1, high: 1))
  #expect(two.intervalOfRatio(0, 1) == ConfidenceInterval(low: 0, high: 10))
  #expect(two.intervalOfRatio(1, 0) == nil)
  #expect(PairedBootstrap([[3]]).intervalOfMean(0) == ConfidenceInterval(low: 3, high: 3))
  // The means of three draws from {0, 3, 6} run from 0 (1 in 27) to 6 (1 in 27).
  #expect(PairedBootstrap([[0, 3, 6]]).intervalOfMean(0) == ConfidenceInterval(low: 0, high: 6))
}

@Test func wilsonIntervals() {
  // 10 of 20: p = 0.5, z² = 3.841459, z²/2n = 0.0960365, z²/4n² = 0.0024009,
  // spread = 1.959964 · √(0.0125 + 0.0024009) = 0.2392514, scale = 1.1920729.
  let half = ConfidenceInterval.wilson(successes: 10, trials: 20)
  #expect(abs(half.low - (0.5960365 - 0.2392514) / 1.1920729) < 1e-6)
  #expect(abs(half.high - (0.5960365 + 0.2392514) / 1.1920729) < 1e-6)
  // 0 of 10: high = (z²/2n + z²/2n) / (1 + z²/n) = 0.3841459 / 1.3841459.
  let none = ConfidenceInterval.wilson(successes: 0, trials: 10)
  #expect(none.low == 0)
  #expect(abs(none.high - 0.2775328) < 1e-6)
  let all = ConfidenceInterval.wilson(successes: 10, trials: 10)
  #expect(all.high == 1)
  #expect(abs(all.low - 0.7224672) < 1e-6)
  // 81 of 263, the example of Newcombe, "Two-sided confidence intervals for the single
  // proportion", 1998: 0.2553 to 0.3662.
  let newcombe = ConfidenceInterval.wilson(successes: 81, trials: 263)
  #expect(abs(newcombe.low - 0.2553) < 5e-5 && abs(newcombe.high - 0.3662) < 5e-5)
  #expect(ConfidenceInterval.wilson(successes: 0, trials: 0) == ConfidenceInterval(low: 0, high: 1))
}

/// Returns a result with these scores and largest exponents; every game has 100 moves and takes 2 seconds.
private func result(_ games: [[(score: Int, exponent: Int)]]) -> ArenaResult {
  ArenaResult(
    seed: 42, contestants: games.indices.map { "player \($0)" },
    results: games.map { games in
      games.map {
        GameResult(score: $0.score, moves: 100, largestExponent: $0.exponent, seconds: 2)
      }
    })
}

@Test func figuresOfKnownGames() throws {
  let report = ArenaReport(
    result([
      [(10, 11), (40, 12), (20, 10), (30, 13)], [(5, 9), (5, 9), (20, 11), (10, 8)],
    ]))
  #expect(report.games == 4)
  #expect(report.seed == 42)
  let first = report.players[0]
  #expect(first.name == "player 0")
  #expect(first.games == 4)
  #expect(first.score.mean == 25)
  #expect(first.score.median == 25)
  #expect(first.score.max == 40)
  #expect(first.score.ci95.low >= 10 && first.score.ci95.high <= 40)
  #expect(first.moves == 400)
  #expect(first.movesPerSecond == 50)
  #expect(
    first.reached == [
      "256": 1, "512": 1, "1024": 1, "2048": 0.75, "4096": 0.5, "8192": 0.25,
    ])
  #expect(first.tileRates.map(\.tile) == [256, 512, 1024, 2048, 4096, 8192])
  #expect(first.tileRates[4].ci95 == .wilson(successes: 2, trials: 4))
  // All players have the same tiles.
  #expect(
    report.players[1].reached == [
      "256": 1, "512": 0.75, "1024": 0.25, "2048": 0.25, "4096": 0, "8192": 0,
    ])
  #expect(report.players[1].score.median == 7.5)
  let comparison = try #require(report.comparisons.first)
  #expect(report.comparisons.count == 1)
  #expect(comparison.meanDifference == 15)
  #expect(comparison.ratio == 2.5)
  // The differences of the four games are 5, 35, 0, 20.
  #expect(comparison.ci95.low >= 0 && comparison.ci95.low < 10)
  #expect(comparison.ci95.high > 20 && comparison.ci95.high <= 35)
}

@Test func mediansOfOddAndEvenCounts() {
  func median(_ scores: Int...) -> Double {
    ArenaReport(result([scores.map { ($0, 5) }])).players[0].score.median
  }
  #expect(median(7) == 7)
  #expect(median(9, 1) == 5)
  #expect(median(9, 1, 2) == 2)
  #expect(median(4, 1, 3, 8) == 3.5)
}

@Test func smallerTilesAreReportedWhereNobodyWins() {
  let report = ArenaReport(result([[(1, 5), (1, 8)], [(1, 7), (1, 7)]]))
  let unreached = ["512": 0.0, "1024": 0, "2048": 0]
  #expect(
    report.players[0].reached
      == ["32": 1, "64": 0.5, "128": 0.5, "256": 0.5].merging(unreached) { $1 })
  #expect(
    report.players[1].reached == ["32": 1, "64": 1, "128": 1, "256": 0].merging(unreached) { $1 })
}

@Test func everyPairIsCompared() {
  let report = ArenaReport(result([[(1, 5)], [(2, 5)], [(0, 5)]]))
  #expect(
    report.comparisons.map { $0.a + $0.b } == [
      "player 0player 1", "player 0player 2", "player 1player 2",
    ])
  #expect(report.comparisons.map(\.ratio) == [0.5, nil, nil])
}

@Test func reportsAreTheDocumentedJSON() throws {
  let report = ArenaReport(result([[(10, 11), (30, 11)], [(0, 12), (0, 10)]]))
  let data = Data(try JSONEncoder.text(report.json).utf8)
  let half = ConfidenceInterval.wilson(successes: 1, trials: 2)
  let ends = [
    "HALFLOW": half.low, "HALFHIGH": half.high,
    "LOW": ConfidenceInterval.wilson(successes: 2, trials: 2).low,
    "HIGH": ConfidenceInterval.wilson(successes: 0, trials: 2).high,
  ]
  let expected = """
    {"comparisons":[{"a":"player 0","b":"player 1","ci95":[10,30],"meanDifference":20,\
    "ratio":null,"ratioCi95":null}],"games":2,"players":[{"games":2,"moves":200,\
    "movesPerSecond":50,"name":"player 0","reached":{"1024":1,"2048":1,"4096":0},\
    "reachedCi95":{"1024":[LOW,1],"2048":[LOW,1],"4096":[0,HIGH]},"score":{"ci95":[10,30],"max":30,"mean":20,"median":20}},{"games":2,"moves":200,"movesPerSecond":50,\
    "name":"player 1","reached":{"1024":1,"2048":0.5,"4096":0.5},\
    "reachedCi95":{"1024":[LOW,1],"2048":[HALFLOW,HALFHIGH],"4096":[HALFLOW,HALFHIGH]},"score":{"ci95":[0,0],"max":0,"mean":0,\
    "median":0}}],"seed":42}
    """
  let filled = expected.replacing(#/(HALF)?(LOW|HIGH)/#) { "\(ends[String($0.output.0)]!)" }
  #expect(String(decoding: data, as: UTF8.self) == filled)
  #expect(try JSONDecoder().decode(ArenaReport.self, from: data) == report)
}

@Test func reportsFitTheirSchema() {
  let whole = ArenaReport(result([[(10, 11), (30, 11)], [(0, 12), (0, 10)]]))
  var curve = whole
  curve.players[0].episodes = 100
  curve.players[0].weights = "sha256:0"
  curve.startBoards = 2
  curve.comparisons[0].reachedDifference = ["2048": -0.5]
  curve.comparisons[0].reachedDifferenceCi95 = ["2048": .zero]
  curve.sequential = .init(errorRate: 0.05, decisions: [.init(a: "a", b: "b")])
  for report in [whole, curve] {
    #expect(accepts(.object(ArenaReport.schema), report.json), "\(report.json.text)")
  }
}
