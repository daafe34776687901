import Foundation
import Logging
import Play
import TestSupport
import Testing

@testable import Basics
@testable import Training

@Suite struct RunLengthTests {
  @Test func theNearestLimitDecides() {
    let length = RunLength(episodes: 100, moves: 1_000, seconds: 60)
    #expect(length.share(episodes: 50, moves: 0, seconds: 0) == 0.5)
    #expect(length.share(episodes: 50, moves: 600, seconds: 15) == 0.6)
    #expect(length.share(episodes: 50, moves: 600, seconds: 45) == 0.75)
    #expect(length.share(episodes: 99, moves: 999, seconds: 59) < 1)
    #expect(length.share(episodes: 1, moves: 1_000, seconds: 0) == 1)
    #expect(RunLength(seconds: 10).share(episodes: 1_000_000, moves: 1_000_000, seconds: 1) == 0.1)
    #expect(RunLength().share(episodes: 5, moves: 5, seconds: 5) == 0)
    #expect(
      length.cut(at: RunLength(moves: 500)) == RunLength(episodes: 100, moves: 500, seconds: 60))
    #expect(RunLength(moves: 9).cut(at: RunLength(seconds: 5)) == RunLength(moves: 9, seconds: 5))
  }

  @Test func aLimitTakesThePlaceOfTheUsualEpisodes() throws {
    func length(_ settings: String...) throws -> RunLength {
      var reader = ConfigurationReader()
      for setting in [#"network.patterns=["012"]"#] + settings { reader.set(setting) }
      return try reader.finished().length
    }
    #expect(try length() == RunLength(episodes: 100_000))
    #expect(try length("limit.seconds=60") == RunLength(seconds: 60))
    #expect(try length("limit.moves=1e6") == RunLength(moves: 1_000_000))
    #expect(try length("limit.moves=5", "episodes=7") == RunLength(episodes: 7, moves: 5))
    #expect {
      try length("episodes=0")
    } throws: {
      ($0 as? ConfigurationError)?.problems.first?.contains("limit.seconds") == true
    }
  }

  private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  private func configuration() -> TrainingConfiguration {
    var configuration = TrainingConfiguration()
    configuration.patterns = ["012", "456"]
    configuration.episodes = 0
    configuration.reportEveryEpisodes = 50
    return configuration
  }

  /// A learning rate that falls in the middle of a run.
  private static let halves = StepSchedule(steps: [
    .init(from: 0, value: 0.2), .init(from: 0.5, value: 0.05),
  ])!

  @Test func movesEndARunAndItsSchedulesFollow() throws {
    let root = try TemporaryDirectory()
    var configuration = configuration()
    configuration.limitMoves = 20_000
    configuration.learningRate = RunLengthTests.halves
    func train(_ name: String, until pause: RunLength = RunLength()) throws -> [TrainingReport] {
      let directory = RunDirectory(path: root.file(name))
      let run =
        directory.exists
        ? try TrainingRun.resume(in: directory, configuration: configuration)
        : try TrainingRun.start(in: directory, configuration: configuration)
      _ = try run.train(logger: silent, until: pause, evaluate: GreedyEvaluation.play) { _ in }
      return directory.reports
    }
    let whole = try train("whole")
    let end = try #require(whole.last)
    // The last episode is the one that reaches the limit.
    #expect(end.moves >= 20_000)
    let before = try #require(whole.dropLast().last)
    #expect(before.moves < 20_000)
    // The rate is that at the report's share of the run.
    for report in whole {
      #expect(report.learningRate == (report.moves < 10_000 ? 0.2 : 0.05))
    }
    let seconds = whole.compactMap(\.trainingSeconds)
    #expect(seconds.count == whole.count && seconds == seconds.sorted())
    #expect(end.trainingSeconds! <= end.wallSeconds)

    // A pause on the way, with a report, changes nothing; a run that is past it plays nothing.
    let paused = try train("parts", until: RunLength(moves: 5_000))
    #expect(paused.last!.moves >= 5_000 && paused.last!.moves < 7_000)
    #expect(try train("parts", until: RunLength(moves: 5_000)) == paused)
    let rest = try train("parts")
    #expect(rest.last?.moves == end.moves)
    #expect(rest.last?.episodes == end.episodes)
    #expect(throws: LocatedError.finished(root.file("parts"), key: "limit.moves", episodes: 0)) {
      try train("parts")
    }
  }

  @Test func theLearningRateOfAReportIsThatAtItsShareOfTheEpisodes() throws {
    let root = try TemporaryDirectory()
    var configuration = configuration()
    configuration.episodes = 200
    configuration.learningRate = RunLengthTests.halves
    let directory = RunDirectory(path: root.file("run"))
    let run = try TrainingRun.start(in: directory, configuration: configuration)
    _ = try run.train(logger: silent, evaluate: GreedyEvaluation.play) { _ in }
    #expect(directory.reports.map(\.episodes) == [50, 100, 150, 200])
    #expect(directory.reports.map(\.learningRate) == [0.2, 0.05, 0.05, 0.05])
  }

  @Test func secondsOfTrainingEndARunOverItsSessions() throws {
    let root = try TemporaryDirectory()
    let directory = RunDirectory(path: root.file("run"))
    var configuration = configuration()
    // Much longer than the pause, which thus comes first however late it is noticed.
    configuration.limitSeconds = 5
    func train(until pause: RunLength, resuming: Bool) throws -> Double {
      let run =
        resuming
        ? try TrainingRun.resume(in: directory, configuration: configuration)
        : try TrainingRun.start(in: directory, configuration: configuration)
      _ = try run.train(logger: silent, until: pause, evaluate: GreedyEvaluation.play) { _ in }
      return run.monitor.progress.share
    }
    let share = try train(until: RunLength(seconds: 0.1), resuming: false)
    let first = try #require(directory.reports.last?.trainingSeconds)
    #expect(first >= 0.1 && abs(share - first / 5) < 1e-6)
    configuration.limitSeconds = first + 0.1
    #expect(try train(until: RunLength(), resuming: true) == 1)
    let reports = directory.reports.compactMap(\.trainingSeconds)
    #expect(reports.last! >= first + 0.1 && reports.contains(first))
    #expect(throws: LocatedError.finished(directory.path, key: "limit.seconds", episodes: 0)) {
      try train(until: RunLength(), resuming: true)
    }
  }

  @Test func gamesThatGrowAreForeseen() {
    // m(e) = 200 + 300 ln e, a tenth of the way; and games that do not grow.
    func moves(_ episodes: Double, growth: Double) -> Double {
      episodes * (200 + growth * (log(episodes) - 1))
    }
    for growth in [0.0, 300] {
      let length = RunLength(episodes: 100_000)
      var recent = EpisodeStatistics()
      for _ in 0..<100 {
        recent.add(
          EpisodeResult(
            score: 0, moves: Int(200 + growth * log(10_000)), largestExponent: 1))
      }
      let left = length.secondsLeft(
        episodes: 10_000, moves: Int(moves(10_000, growth: growth)), seconds: 5,
        recent: (recent.episodes, recent.moves), in: 2)
      let speed = Double(recent.moves) / 2
      let expected = (moves(100_000, growth: growth) - moves(10_000, growth: growth)) / speed
      #expect(abs(left / expected - 1) < 0.01)
    }
  }

  @Test func anEstimateCountsMovesThoughNoGameEnds() throws {
    var configuration = configuration()
    configuration.episodes = 10_000
    configuration.mode = .synchronous
    // The warm-up ends with a game, and a round of one move then ends none.
    (configuration.lanes, configuration.roundMoves) = (1, 1)
    let estimate = try RunEstimate(configuration, seconds: 0)
    #expect(estimate.movesPerSecond > 0 && estimate.movesPerSecond.isFinite)
    #expect(estimate.seconds.lowerBound > 0 && estimate.seconds.upperBound.isFinite)
  }

  @Test func theNearestLimitDecidesWhatIsLeft() {
    func left(_ length: RunLength) -> Double {
      length.secondsLeft(episodes: 10, moves: 10_000, seconds: 20, recent: (1, 1_000), in: 2)
    }
    #expect(left(RunLength(seconds: 60)) == 40)
    #expect(left(RunLength(moves: 20_000)) == 20)
    #expect(left(RunLength(moves: 20_000, seconds: 25)) == 5)
    #expect(abs(left(RunLength(episodes: 20, moves: 50_000)) - 20) < 1e-9)
    #expect(left(RunLength(moves: 5_000)) == 0)
  }
}
