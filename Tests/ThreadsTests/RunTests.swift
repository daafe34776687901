import Basics
import Foundation
import Logging
import ModelFiles
import Play
import TestSupport
import Testing

@testable import Training

@Suite struct RunTests {
  private let root: TemporaryDirectory
  private let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  init() throws { root = try TemporaryDirectory() }

  private func directory(_ name: String) -> RunDirectory { RunDirectory(path: root.file(name)) }

  private func configuration(episodes: Int = 600, threads: Int = 1) -> TrainingConfiguration {
    var configuration = TrainingConfiguration()
    configuration.patterns = ["0123", "4567", "0145", "1256"]
    configuration.episodes = episodes
    configuration.threads = threads
    configuration.reportEveryEpisodes = 100
    configuration.learningRate = StepSchedule(constant: 0.2)
    return configuration
  }

  private func checksum(of directory: RunDirectory) throws -> String {
    try #require(try WeightFile.verify(directory.checkpoints.checkpoint(.latest).path).checksum)
  }

  /// The evaluation is played when the run is resumed.
  @Test(arguments: [100, 300])
  func aStopEndsAnEvaluation(at stop: Int) throws {
    var settings = configuration(episodes: 300)
    settings.evaluationEveryEpisodes = 100
    settings.evaluationGames = 10
    _ = try train(settings, in: directory("whole"), ranks: 1)
    let whole = directory("whole").reports
    var reports: [TrainingReport] = []
    settings.evaluationEveryEpisodes = stop
    settings.evaluationGames = 200_000
    do {
      let run = try TrainingRun.start(in: directory("a"), configuration: settings)
      let monitor = run.monitor
      let asker = Thread {
        while monitor.progress.phase != .evaluating { usleep(1_000) }
        monitor.requestStop()
      }
      asker.start()
      #expect(
        try run.train(logger: silent, evaluate: GreedyEvaluation.play) { reports.append($0) }
          == .interrupted)
    }
    #expect(reports.allSatisfy { $0.evaluation == nil && $0.episodes < stop })
    settings.evaluationEveryEpisodes = 100
    settings.evaluationGames = 10
    #expect(try train(settings, in: directory("a"), ranks: 1) == .finished)
    reports = directory("a").reports
    #expect(reports.map(\.episodes) == [100, 200, 300])
    #expect(reports.map(\.moves) == whole.map(\.moves))
    #expect(reports.map(\.meanScore) == whole.map(\.meanScore))
    let from = stop / 100 - 1
    #expect(reports.map(\.evaluation)[from...] == whole.map(\.evaluation)[from...])
    #expect(try checksum(of: directory("a")) == checksum(of: directory("whole")))
    #expect(throws: LocatedError.finished(directory("a").path, key: "episodes", episodes: 300)) {
      try TrainingRun.resume(in: directory("a"), configuration: settings)
    }
  }

  @Test func evaluatingAndSavingChangeNothing() throws {
    let plain = configuration()
    var busy = plain
    busy.evaluationEveryEpisodes = 150
    busy.evaluationGames = 10
    busy.checkpointEveryEpisodes = 90
    _ = try train(plain, in: directory("plain"), ranks: 1)
    _ = try train(busy, in: directory("busy"), ranks: 1)
    #expect(try checksum(of: directory("plain")) == checksum(of: directory("busy")))
    let evaluations = directory("busy").reports.filter { $0.evaluation != nil }
    #expect(evaluations.map(\.episodes) == [150, 300, 450, 600])
    let best = try #require(evaluations.max { $0.evaluation!.meanScore < $1.evaluation!.meanScore })
    let recorded = try #require(try directory("busy").checkpoints.best())
    #expect(recorded.episodes == best.episodes)
    #expect(recorded.meanScore == best.evaluation!.meanScore)
    #expect(
      try directory("busy").checkpoints.checkpoint(.best).episodes == best.episodes)
  }

  @Test func twoWorkersPlayEveryEpisodeOnce() throws {
    _ = try train(configuration(threads: 2), in: directory("two"), ranks: 1)
    let reports = directory("two").reports
    #expect(reports.map(\.episodes) == [100, 200, 300, 400, 500, 600])
    let early = reports[0].meanScore
    #expect(reports[5].meanScore > 1.5 * early)
    // The run continues with another number of workers.
    var more = configuration(threads: 3)
    more.episodes = 700
    _ = try train(more, in: directory("two"), ranks: 1)
    #expect(directory("two").reports.map(\.episodes) == [100, 200, 300, 400, 500, 600, 700])
  }
}
