import Game2048
import NTupleNetwork
import TDLearning
import TestSupport
import Testing

@testable import Benchmarks
@testable import Configuration
@testable import Players

@Suite struct BenchmarkTests {
  private static let patterns = ["012", "456"]
  private static let plan = BenchmarkPlan(amount: .episodes(3), repeats: 2, clock: .cpu)

  private static func network() throws -> TrainedNetwork {
    try TrainedNetwork(
      name: "small", training: TestNetworks.shape(patterns), moves: 1_000)
  }

  private static func parameters(_ report: BenchmarkReport, _ name: String) -> [String] {
    report.rows.map { row in
      row.parameters.first { $0.name == name }.map { $0.value.text } ?? "none"
    }
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
    let report = try TrainingBenchmark.run(
      [TrainingBenchmark.Case(network: network, configuration: configuration)],
      plan: BenchmarkTests.plan, progress: { _, _ in })
    #expect(report.rows[0].samples.count == 2)
    #expect(report.rows[0].samples.allSatisfy { $0 > 0 })
    #expect(TestNetworks.weights(of: network.original) == before)
    #expect(TestNetworks.weights(of: network.working) != before, "it learns")
  }

  @Test func playIsMeasuredForEachNumberOfThreads() throws {
    let report = try PlayBenchmark.run(
      [try BenchmarkTests.network()], threads: [1, 3], seed: 5, plan: BenchmarkTests.plan,
      progress: { _, _ in })
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
    let report = try SearchBenchmark.run(
      players, network: network, states: SearchBenchmark.states(of: network, count: 10),
      threads: [1, 2], plan: BenchmarkTests.plan, progress: { _, _ in })
    #expect(BenchmarkTests.parameters(report, "threads") == ["1", "2", "1", "2"])
    #expect(report.rows.allSatisfy { $0.movesPerSecond.median > 0 })
    #expect(report.rows.allSatisfy { $0.moveMilliseconds == nil })
  }

  @Test func movesWithABudgetOfTimeAreTimedOneByOne() throws {
    let network = try BenchmarkTests.network()
    let report = try SearchBenchmark.run(
      [PlayerSpecification("heuristic:time=0.5"), PlayerSpecification("heuristic:nodes=5")],
      network: network, states: SearchBenchmark.states(of: network, count: 4), threads: [2],
      plan: BenchmarkTests.plan, progress: { _, _ in })
    let times = try #require(report.rows[0].moveMilliseconds)
    #expect(
      0 < times.median && times.median <= times.percentile99 && times.percentile99 <= times.max)
    #expect((0...1).contains(times.withinBudget))
    #expect(report.rows[1].moveMilliseconds == nil)
  }

  @Test func updatesLeaveTheWeightsAlone() throws {
    let network = try BenchmarkTests.network()
    let before = TestNetworks.weights(of: network.original)
    let report = try UpdateBenchmark.run(
      network: network, paths: KernelBackend.allCases, batchSizes: [4, 64], moves: 200,
      plan: BenchmarkTests.plan, progress: { _, _ in })
    #expect(BenchmarkTests.parameters(report, "batch") == ["4", "4", "64", "64"])
    #expect(TestNetworks.weights(of: network.working) == before)
  }

  @Test func recordedStatesCanBePlayed() throws {
    let network = try BenchmarkTests.network()
    let states = RecordedGames.states(network, count: 50)
    #expect(states.count == 50)
    #expect(states.allSatisfy { !Rules.standard.isOver($0) })
    #expect(states == RecordedGames.states(network, count: 50))
    let games = RecordedGames.record(network, moves: 500)
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
