import Foundation
import Logging
import NTupleNetwork
import Play
import TestSupport
import Testing

@testable import Basics
@testable import Learning
@testable import ModelFiles
@testable import Training

@Suite struct TrainingRunTests {
  let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
  }

  func directory(_ name: String) -> RunDirectory {
    RunDirectory(path: root.file(name))
  }

  /// A small run: four patterns of four cells learn in a second or two.
  func configuration(
    episodes: Int = 600, threads: Int = 1
  ) -> TrainingConfiguration {
    var configuration = TrainingConfiguration()
    configuration.patterns = ["0123", "4567", "0145", "1256"]
    configuration.episodes = episodes
    configuration.threads = threads
    configuration.reportEveryEpisodes = 100
    configuration.learningRate = StepSchedule(steps: [
      .init(from: 0, value: 0.2), .init(from: 0.5, value: 0.05),
    ])!
    return configuration
  }

  let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Starts a run and trains it until it ends.
  ///
  /// - Parameter stopAt: The episodes of the report at which to request a stop.
  @discardableResult
  func train(
    _ configuration: TrainingConfiguration, in directory: RunDirectory, stopAt: Int? = nil,
    resuming: Bool = false
  ) throws -> (reports: [TrainingReport], outcome: TrainingRun.Outcome) {
    let run =
      resuming
      ? try TrainingRun.resume(in: directory, configuration: configuration)
      : try TrainingRun.start(in: directory, configuration: configuration)
    var reports: [TrainingReport] = []
    let outcome = try run.train(logger: silent, evaluate: GreedyEvaluation.play) { report in
      reports.append(report)
      if report.episodes == stopAt { run.monitor.requestStop() }
    }
    return (reports, outcome)
  }

  func checksum(of directory: RunDirectory) throws -> String {
    try WeightFile.verify(directory.checkpoints.checkpoint(.latest).path).checksum
  }

  @Test func oneWorkerIsReproducible() throws {
    let settings = configuration()
    try train(settings, in: directory("a"))
    try train(settings, in: directory("b"))
    var other = settings
    other.seed = 2
    try train(other, in: directory("c"))
    #expect(try checksum(of: directory("a")) == checksum(of: directory("b")))
    #expect(try checksum(of: directory("a")) != checksum(of: directory("c")))
  }

  @Test func reportsThatCannotBeWrittenAreWrittenLater() throws {
    let settings = configuration()
    let directory = directory("a")
    let run = try TrainingRun.start(in: directory, configuration: settings)
    let manager = FileManager.default
    let outcome = try run.train(logger: silent, evaluate: GreedyEvaluation.play) { report in
      // During three reports, a directory has the name of the file.
      if report.episodes == 100 {
        try manager.moveItem(atPath: directory.metricsPath, toPath: root.file("kept"))
        try manager.createDirectory(
          atPath: directory.metricsPath, withIntermediateDirectories: false)
      } else if report.episodes == 400 {
        try manager.removeItem(atPath: directory.metricsPath)
        try manager.moveItem(atPath: root.file("kept"), toPath: directory.metricsPath)
      }
    }
    #expect(outcome == .finished)
    #expect(directory.reports.map(\.episodes) == [100, 200, 300, 400, 500, 600])
  }

  /// The evaluation is played when the run is resumed.
  @Test(arguments: [100, 300])
  func aStopEndsAnEvaluation(at stop: Int) throws {
    var settings = configuration(episodes: 300)
    settings.evaluationEveryEpisodes = 100
    settings.evaluationGames = 10
    let whole = try train(settings, in: directory("whole")).reports
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
    let (rest, outcome) = try train(settings, in: directory("a"), resuming: true)
    #expect(outcome == .finished)
    reports += rest
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

  @Test func theBestIsRecordedThoughAKillCameBefore() throws {
    var settings = configuration(episodes: 200)
    settings.evaluationEveryEpisodes = 200
    settings.evaluationGames = 5
    let checkpoints = directory("a").checkpoints
    try train(settings, in: directory("a"))
    let best = try #require(try checkpoints.best())
    #expect(best.episodes == 200)
    try FileManager.default.removeItem(atPath: checkpoints.bestPath)
    #expect(throws: LocatedError.finished(directory("a").path, key: "episodes", episodes: 200)) {
      try TrainingRun.resume(in: directory("a"), configuration: settings)
    }
    #expect(try checkpoints.best() == best)
    try FileManager.default.removeItem(atPath: checkpoints.bestPath)
    settings.episodes = 300
    _ = try TrainingRun.resume(in: directory("a"), configuration: settings)
    #expect(try checkpoints.best() == best)
  }

  /// Starts a run, and asks it to stop, from another thread, once it has played so many episodes.
  func trainAndStop(
    _ settings: TrainingConfiguration, in directory: RunDirectory, after episodes: Int
  ) throws -> [TrainingReport] {
    let run = try TrainingRun.start(in: directory, configuration: settings)
    let monitor = run.monitor
    let asker = Thread {
      while monitor.progress.episodes < episodes { usleep(100) }
      monitor.requestStop()
    }
    asker.start()
    var reports: [TrainingReport] = []
    #expect(
      try run.train(logger: silent, evaluate: GreedyEvaluation.play) { reports.append($0) }
        == .interrupted)
    return reports
  }

  @Test(arguments: 1...4)
  func anEvaluationThatIsDueAtAStopIsPlayedLater(attempt: Int) throws {
    // A very short one after every episode, so that the stop is likely to precede one.
    var settings = configuration(episodes: 2_000)
    settings.evaluationEverySeconds = 1e-9
    settings.evaluationGames = 1
    settings.reportEveryEpisodes = 10_000
    var reports = try trainAndStop(settings, in: directory("a"), after: 10 * attempt)
    let stop = try #require(reports.last).episodes
    settings.episodes = stop + 5
    reports += try train(settings, in: directory("a"), resuming: true).reports
    #expect(reports.map(\.episodes) == Array(1...stop + 5))
    #expect(reports.allSatisfy { $0.evaluation != nil })
  }

  // Promise: Learning never changes silently
  @Test(arguments: LearningMode.allCases)
  func aRunThatDivergesEndsBeforeTheNextSave(mode: LearningMode) throws {
    var settings = configuration(episodes: 1_000_000)
    settings.mode = mode
    settings.learningRate = StepSchedule(constant: 0.1)
    settings.checkpointEverySeconds = 0
    try train(settings, in: directory("a"), stopAt: 100)
    let before = try checksum(of: directory("a"))
    settings.learningRate = StepSchedule(constant: 16)
    let run = try TrainingRun.resume(
      in: directory("a"), configuration: settings, acceptsChanges: true)
    let error = #expect(throws: LocatedError.self) {
      try run.train(logger: silent, evaluate: GreedyEvaluation.play) { _ in }
    }
    #expect(error?.kind == .unsuitableData)
    #expect(error?.problem.contains("diverged") == true)
    #expect(error?.remedy.contains("learning.learningRate below 16") == true)
    #expect(error?.remedy.contains("after 100 episodes") == true)
    #expect(run.monitor.progress.phase == .failed)
    #expect(run.monitor.progress.episodes <= 1_100)
    #expect(try checksum(of: directory("a")) == before)
  }

  @Test func weightsThatLearnWellHaveNotDiverged() throws {
    let run = try TrainingRun.start(in: directory("a"), configuration: configuration())
    #expect(!run.hasDiverged)
    for value in [Float.nan, .infinity, 1e31] {
      run.origin.network.setInitialValue(value)
      #expect(run.hasDiverged)
    }
  }

  @Test func aNameIsTakenOnce() throws {
    try train(configuration(episodes: 100), in: directory("a"))
    let before = try checksum(of: directory("a"))
    let error = #expect(throws: LocatedError.self) {
      try TrainingRun.start(in: directory("a"), configuration: configuration(episodes: 100))
    }
    #expect(error?.kind == .locked)
    #expect(try checksum(of: directory("a")) == before)
  }

  @Test func checkpointsHoldTheAverage() throws {
    var settings = configuration(episodes: 300)
    settings.averagingEveryEpisodes = 100
    settings.averagingShare = 1
    settings.averagingWindow = 3
    try train(settings, in: directory("a"))
    // The average of the weights after every hundred episodes, which a run without averaging saves.
    settings.averagingEveryEpisodes = 0
    settings.checkpointEveryEpisodes = 100
    try train(settings, in: directory("b"))
    let average = WeightAverage(try settings.networkShape(), window: 3)
    for episodes in [100, 200, 300] {
      let path = try directory("b").checkpoints.checkpoint(.episodes(episodes)).path
      average.add(try WeightFile.read(path).network)
    }
    let saved = try WeightFile.read(directory("a").checkpoints.checkpoint(.latest).path).network
    #expect(TestNetworks.weights(of: saved) == TestNetworks.weights(of: average.network))
    let state = try directory("a").checkpoints.resume().state
    let learning = try #require(state.learningWeights)
    let last = try WeightFile.read(directory("b").checkpoints.checkpoint(.latest).path).network
    #expect((0..<learning.count).allSatisfy { learning[$0] == last.weights[$0] })
  }

  @Test func evaluatingAndSavingChangeNothing() throws {
    let plain = configuration()
    var busy = plain
    busy.evaluationEveryEpisodes = 150
    busy.evaluationGames = 10
    busy.checkpointEveryEpisodes = 90
    try train(plain, in: directory("plain"))
    let run = try train(busy, in: directory("busy"))
    #expect(try checksum(of: directory("plain")) == checksum(of: directory("busy")))
    let evaluations = run.reports.filter { $0.evaluation != nil }
    #expect(evaluations.map(\.episodes) == [150, 300, 450, 600])
    let best = try #require(evaluations.max { $0.evaluation!.meanScore < $1.evaluation!.meanScore })
    let recorded = try #require(try directory("busy").checkpoints.best())
    #expect(recorded.episodes == best.episodes)
    #expect(recorded.meanScore == best.evaluation!.meanScore)
    #expect(
      try directory("busy").checkpoints.checkpoint(.best).episodes == best.episodes)
  }

  @Test func aPausedRunContinues() throws {
    var settings = configuration()
    settings.evaluationEveryEpisodes = 150
    settings.evaluationGames = 10
    settings.checkpointEveryEpisodes = 90
    try train(settings, in: directory("whole"))

    let run = try TrainingRun.start(in: directory("parts"), configuration: settings)
    var reports: [TrainingReport] = []
    func go(on episodes: Int) throws -> TrainingRun.Outcome {
      try run.train(
        logger: silent, until: RunLength(episodes: episodes), evaluate: GreedyEvaluation.play
      ) { reports.append($0) }
    }
    for episodes in [250, 250, 420] {
      #expect(try go(on: episodes) == .interrupted)
      #expect(run.monitor.progress.phase == .interrupted)
      #expect(try directory("parts").checkpoints.checkpoint(.latest).episodes == episodes)
    }
    #expect(try go(on: 600) == .finished)
    #expect(reports.map(\.episodes) == [100, 150, 200, 250, 300, 400, 420, 450, 500, 600])
    #expect(directory("parts").reports.map(\.episodes) == reports.map(\.episodes))
    #expect(try checksum(of: directory("parts")) == checksum(of: directory("whole")))
    let best = try directory("whole").checkpoints.best()
    #expect(try best != nil && directory("parts").checkpoints.best() == best)

    #expect(try go(on: 700) == .finished)
    #expect(reports.last?.episodes == 600 && run.monitor.progress.episodes == 600)
  }

  @Test func twoWorkersPlayEveryEpisodeOnce() throws {
    let run = try train(configuration(threads: 2), in: directory("two"))
    #expect(run.reports.map(\.episodes) == [100, 200, 300, 400, 500, 600])
    let early = run.reports[0].meanScore
    #expect(run.reports[5].meanScore > 1.5 * early)
    // The run continues with another number of workers.
    var more = configuration(threads: 3)
    more.episodes = 700
    let resumed = try train(more, in: directory("two"), resuming: true)
    #expect(resumed.reports.map(\.episodes) == [700])
  }

  static let whatReplacesWeights: [(String, @Sendable (inout TrainingConfiguration) -> Void)] = [
    ("learning.initialValue", { $0.initialValue = 1_000 }),
    ("learning.inheritEveryEpisodes", { $0.inheritEveryEpisodes = 20 }),
  ]

  @Test func aRunFromAnotherModelStartsWithItsWeights() throws {
    try train(configuration(), in: directory("first"))
    let model = try directory("first").checkpoints.checkpoint(.latest).path
    var settings = configuration()
    let run = try TrainingRun.start(
      in: directory("second"), configuration: settings, initialModel: model)
    #expect(try checksum(of: directory("second")) == checksum(of: directory("first")))
    #expect(run.origin.history.map(\.episodes) == [600])
    for (key, change) in TrainingRunTests.whatReplacesWeights {
      var replacing = settings
      change(&replacing)
      let error = #expect(throws: LocatedError.self) {
        try TrainingRun.start(
          in: directory("third"), configuration: replacing, initialModel: model)
      }
      #expect(error?.kind == .usage && error?.path == model && error?.place == key)
    }
    settings.patterns = ["0123"]
    #expect {
      try TrainingRun.start(
        in: directory("third"), configuration: settings, initialModel: model)
    } throws: { error in
      (error as? LocatedError)?.kind == .unsuitableData
    }
    #expect(!directory("third").exists)
  }

  @Test func oneProcessTrainsARun() throws {
    let settings = configuration(episodes: 100)
    let run = try TrainingRun.start(in: directory("run"), configuration: settings)
    #expect {
      try TrainingRun.resume(in: directory("run"), configuration: settings)
    } throws: { error in
      (error as? LocatedError)?.kind == .locked
    }
    withExtendedLifetime(run) {}
  }

  @Test func aNetworkThatDoesNotFitIsRefusedBeforeItIsAllocated() throws {
    var settings = configuration()
    settings.stages = .largestTile
    settings.stageTiles = (2...14).map { 1 << $0 }  // fourteen stages
    settings.patterns = (0..<16).map { first in
      // Sixteen patterns of eight cells, in fourteen stages: 3.5 TiB.
      (0..<16).filter { ($0 + first) % 16 < 8 }.map { String($0, radix: 16) }.joined()
    }
    #expect {
      try TrainingRun.start(in: directory("huge"), configuration: settings)
    } throws: { error in
      let error = error as? LocatedError
      return error?.kind == .insufficientMemory && error?.problem.contains("3.5 TiB") == true
    }
    #expect(!directory("huge").exists)
  }

  @Test(
    "the buffers of many threads count as memory",
    .enabled(if: Memory.available() ?? 0 < 300 << 30, "they fit here"))
  func buffersThatDoNotFit() throws {
    // A small network, and rounds that need 328 MB for each of a thousand threads.
    var settings = configuration()
    settings.mode = .synchronous
    settings.lanes = 1_024
    settings.roundMoves = 1_024
    settings.returns = .delayedLambda
    settings.horizon = 1_000
    settings.threads = 1_024
    let error = #expect(throws: LocatedError.self) {
      try TrainingRun.start(in: directory("huge"), configuration: settings)
    }
    #expect(error?.kind == .insufficientMemory)
  }
}
