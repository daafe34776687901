import Game2048
import Learning
import NTupleNetwork
import TestSupport
import Testing

@testable import Experiments
@testable import Play
@testable import Training

@Suite struct BenchmarkTests {
  private static let patterns = ["012", "456"]
  private static let plan = BenchmarkPlan(repeats: 2, clock: .cpu)

  private static func network() throws -> TrainedNetwork {
    try TrainedNetwork(
      name: "small", training: TestNetworks.shape(patterns), moves: 1_000)
  }

  private static func parameters(_ report: BenchmarkReport, _ name: String) -> [String] {
    report.rows.map { $0.parameters[name]?.text ?? "none" }
  }

  private static func report(_ variants: [Variant]) throws -> BenchmarkReport {
    var report = BenchmarkReport("test", plan: plan)
    try report.measure(variants, plan: plan)
    return report
  }

  @Test func trainingIsTheSameEveryTime() throws {
    let networks = try (0..<2).map { _ in try BenchmarkTests.network() }
    let weights = networks.map { TestNetworks.weights(of: $0.original) }
    #expect(weights[0] == weights[1])
    #expect(weights[0].contains { $0 != 0 })
  }

  @Test func measurementsStartFromTheTrainedWeights() throws {
    let network = try BenchmarkTests.network()
    let before = TestNetworks.weights(of: network.original)
    network.working.weights[7] += 1
    #expect(TestNetworks.weights(of: network.restored()) == before)

    var configuration = TrainingConfiguration()
    configuration.patterns = BenchmarkTests.patterns
    let report = try BenchmarkTests.report([
      .training(network, configuration, amount: .episodes(3))
    ])
    #expect(report.rows[0].samples.count == 2)
    #expect(report.rows[0].samples.allSatisfy { $0 > 0 })
    #expect(TestNetworks.weights(of: network.original) == before)
    #expect(TestNetworks.weights(of: network.working) != before, "it learns")
  }

  @Test func roundsCountMovesThoughNoGameEnds() throws {
    let network = try BenchmarkTests.network()
    var configuration = TrainingConfiguration()
    configuration.patterns = BenchmarkTests.patterns
    configuration.mode = .synchronous
    (configuration.lanes, configuration.roundMoves) = (8, 16)
    // One round to warm up, and one that is measured.
    let variant = try Variant.training(network, configuration, amount: .seconds(0))
    let measurement = try variant.measure()
    #expect(measurement.moves == 16 && measurement.movesPlayed == 32)
    #expect(measurement.meanScore == 0, "no game has ended")
  }

  @Test func playIsMeasuredForEachNumberOfThreads() throws {
    let network = try BenchmarkTests.network()
    let report = try BenchmarkTests.report(
      [1, 3].map { .play(network, threads: $0, seed: 5, amount: .episodes(3)) })
    #expect(BenchmarkTests.parameters(report, "threads") == ["1", "3"])
    #expect(report.rows.allSatisfy { $0.movesPerSecond.median > 0 })
    // The games do not depend on the number of threads.
    let scores = report.rows.map(\.meanScores)
    #expect(scores[0].count == 2 && scores[0][0] > 0 && scores[0][0] == scores[0][1])
    #expect(scores[1] == scores[0])
  }

  @Test func searchIsMeasuredForEachPlayer() throws {
    let players = try ["learned:depth=2", "expectimax:evaluator=rowScore,depth=2"].map {
      try PlayerSpecification($0)
    }
    let network = try BenchmarkTests.network()
    let states = network.recordedStates(count: 10)
    let report = try BenchmarkTests.report(
      players.flatMap {
        try Variant.searches($0, network: network, states: states, threads: [1, 2])
      })
    #expect(BenchmarkTests.parameters(report, "threads") == ["1", "2", "1", "2"])
    #expect(report.rows.allSatisfy { $0.movesPerSecond.median > 0 })
    #expect(report.rows.allSatisfy { $0.moveMilliseconds == nil })
  }

  @Test func movesWithABudgetOfTimeAreTimedOneByOne() throws {
    let network = try BenchmarkTests.network()
    let states = network.recordedStates(count: 4)
    let report = try BenchmarkTests.report(
      ["heuristic:time=0.5", "heuristic:nodes=5"].flatMap {
        try Variant.searches(
          PlayerSpecification($0), network: network, states: states, threads: [2])
      })
    let times = try #require(report.rows[0].moveMilliseconds)
    #expect(
      0 < times.median && times.median <= times.percentile99 && times.percentile99 <= times.max)
    #expect((0...1).contains(times.withinBudget))
    #expect(report.rows[1].moveMilliseconds == nil)
  }

  @Test func recordedStatesCanBePlayed() throws {
    let network = try BenchmarkTests.network()
    let states = network.recordedStates(count: 50)
    #expect(states.count == 50)
    #expect(states.allSatisfy { !Rules.standard.isOver($0) })
    #expect(states == network.recordedStates(count: 50))
    let games = network.recordedGames(moves: 500)
    #expect(games.reduce(0) { $0 + $1.count } >= 500)
    #expect(games.dropLast().reduce(0) { $0 + $1.count } < 500)
  }

  @Test func growingNetworksHaveNoPatternTwice() throws {
    #expect(GrowingNetworks.counts.map(\.count) == Array(1...12))
    #expect(GrowingNetworks.sizes.map(GrowingNetworks.name) == ["2x4", "2x5", "2x6", "2x7"])
    #expect(GrowingNetworks.name(["0123", "456"]) == "0123,456")
    // Patterns are equal under a symmetry if an image of one has the cells of the other.
    let classes = Set(
      try GrowingNetworks.counts[11].map { text in
        let cells = try Pattern(text).cells
        return ReferenceSymmetry.all().map { symmetry in
          cells.map { cell in
            let place = symmetry.destination(row: cell / 4, column: cell % 4)
            return 4 * place.row + place.column
          }.sorted()
        }.map { $0.map(String.init).joined(separator: " ") }.min()!
      })
    #expect(classes.count == 12)
  }
}
