import Foundation
import Game2048
import Logging
import Play
import TestSupport
import Testing

@testable import Basics
@testable import Learning
@testable import ModelFiles
@testable import NTupleNetwork
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
    try #require(try WeightFile.verify(directory.checkpoints.checkpoint(.latest).path).checksum)
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

  @Test(arguments: LearningMode.allCases)
  func aRequestedSaveDoesNotAffectLearning(mode: LearningMode) throws {
    var settings = configuration(episodes: 300)
    settings.mode = mode
    settings.checkpointKeep = 9
    try train(settings, in: directory("plain"))
    let run = try TrainingRun.start(in: directory("a"), configuration: settings)
    let outcome = try run.train(logger: silent, evaluate: GreedyEvaluation.play) { report in
      if report.episodes == 100 { run.monitor.requestSave() }
    }
    #expect(outcome == .finished)
    let saved = try directory("a").checkpoints.checkpoints().map(\.episodes)
    #expect(saved.count == 2 && (100..<200).contains(saved[0]), "\(saved)")
    #expect(try checksum(of: directory("a")) == checksum(of: directory("plain")))
  }

  @Test func savesAndEvaluationsHaveTheLatestWeights() throws {
    var settings = configuration(episodes: 300)
    settings.checkpointEveryEpisodes = 50
    settings.checkpointKeep = 9
    try train(settings, in: directory("plain"))
    func network(_ run: String, _ episodes: Int) throws -> NTupleNetwork {
      let checkpoint = try directory(run).checkpoints.checkpoint(.episodes(episodes))
      return try WeightFile.read(checkpoint.path).network
    }
    settings.averagingEveryEpisodes = 100
    settings.averagingShare = 1
    settings.evaluationFirstEpisodes = 250
    let run = try TrainingRun.start(in: directory("a"), configuration: settings)
    var evaluated: [[Float]] = []
    _ = try run.train(
      logger: silent,
      evaluate: { games in
        evaluated.append(TestNetworks.weights(of: games.network))
        return GreedyEvaluation.play(games)
      }
    ) { _ in }

    let average = WeightAverage(try settings.networkShape())
    #expect(
      TestNetworks.weights(of: try network("a", 50))
        == TestNetworks.weights(of: try network("plain", 50)))
    for episodes in [100, 200] { average.add(try network("plain", episodes)) }
    let latest = try network("plain", 250)
    let expected = TestNetworks.weights(of: average.snapshot(with: latest, after: 0.5))
    #expect(TestNetworks.weights(of: try network("a", 250)) == expected)
    #expect(evaluated.first == expected && evaluated.count == 2)
    let ages = try directory("a").checkpoints.checkpoints().map { checkpoint in
      try WeightFile.readHeader(checkpoint.path).metadata.averagedEpisodes
    }
    #expect(ages == [nil, nil, 150, 200, 250, 300])
  }

  /// Returns the result of an evaluation in which 8192 is always made with a loss of 1,000 points.
  private func evaluationWithFalls(_ games: EvaluationGames) -> TrainingReport.Evaluation? {
    let reference = ReferenceGame()
    for key in 0..<LevelResiduals.fewest {
      var game = LevelResiduals.Game(Downgrading(from: 14))
      for (board, value) in [
        ("16384 4096 4096 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2", Float(9_192)),
        ("16384 8192 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2", 0),
      ] {
        let afterstate = reference.board(board)
        game.observe(
          GreedyMove(
            move: 0, afterstate: afterstate, planes: afterstate.planes,
            reward: value == 0 ? 8_192 : 0,
            value: value))
      }
      games.levels.add(game, key: UInt64(key))
    }
    return TrainingReport.Evaluation(games: games.count, meanScore: 1, ci95: 0...2)
  }

  @Test func levelOffsetsAreSavedAndDoNotAffectLearning() throws {
    var settings = configuration(episodes: 120)
    settings.reportEveryEpisodes = 60
    settings.downgradeTile = 16_384
    settings.averagingEveryEpisodes = 20
    try train(settings, in: directory("plain"))
    settings.evaluationEveryEpisodes = 30
    settings.evaluationGames = 10

    /// Trains up to a stop or the end, and returns the offset of boards with a 16384 and an 8192.
    func offset(after run: consuming TrainingRun, stopAt: Int? = nil) throws -> Float {
      _ = try run.train(logger: silent, evaluate: evaluationWithFalls) { report in
        if report.episodes == stopAt { run.monitor.requestStop() }
      }
      let saved = try WeightFile.read(run.directory.checkpoints.checkpoint(.latest).path)
      return saved.network.levelOffsets[TileLevel(largest: 14, missing: 12, isRising: false)]
    }
    // Each evaluation finds the same loss again.
    let first = try offset(
      after: .start(in: directory("busy"), configuration: settings), stopAt: 60)
    let second = try offset(after: .resume(in: directory("busy"), configuration: settings))
    #expect(first == 2_000 && second == 4_000)
    #expect(try checksum(of: directory("plain")) == checksum(of: directory("busy")))

    // Neither do those of a model to start from.
    var checksums: Set<String> = []
    for name in ["plain", "busy"] {
      let model = try directory(name).checkpoints.checkpoint(.latest).path
      let last = try offset(
        after: .start(
          in: directory("from-\(name)"), configuration: settings, initialModel: model))
      #expect(last == (name == "plain" ? 4_000 : 8_000))
      checksums.insert(try checksum(of: directory("from-\(name)")))
    }
    #expect(checksums.count == 1)
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

  @Test func aPausedRunRemembersItsBest() throws {
    var settings = configuration(episodes: 300)
    settings.evaluationEveryEpisodes = 150
    let run = try TrainingRun.start(in: directory("a"), configuration: settings)
    var scores = [50.0, 100.0][...]
    for episodes in [200, 300] {
      let outcome = try run.train(
        logger: silent, until: RunLength(episodes: episodes),
        evaluate: { _ in
          let score = scores.removeLast()
          return TrainingReport.Evaluation(games: 1, meanScore: score, ci95: score...score)
        }, onReport: { _ in })
      #expect(outcome == (episodes == 300 ? .finished : .interrupted))
      #expect(try directory("a").checkpoints.best()?.episodes == 150)
    }
    #expect(scores.isEmpty)
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
