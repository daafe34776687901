import Foundation
import Game2048
import Play
import TestSupport
import Testing

@testable import Basics
@testable import Learning
@testable import ModelFiles
@testable import Training

extension TrainingRunTests {
  @Test func aRunThatLostItsStateIsNotBegunAnew() throws {
    var settings = configuration(episodes: 300)
    settings.learningRate = StepSchedule(constant: 0.1)
    settings.checkpointEveryEpisodes = 100
    try train(settings, in: directory("a"))
    let run = directory("a")
    let metrics = try String(contentsOfFile: run.metricsPath, encoding: .utf8)
    try FileManager.default.moveItem(atPath: run.checkpoints.statePath, toPath: root.file("state"))
    settings.episodes = 400
    for isLink in [false, true] {
      if isLink {
        try FileManager.default.createSymbolicLink(
          atPath: run.checkpoints.statePath, withDestinationPath: root.file("elsewhere"))
      }
      let error = #expect(throws: LocatedError.self) {
        try TrainingRun.resume(in: run, configuration: settings)
      }
      #expect(error?.kind == .missingInput)
    }
    #expect(try String(contentsOfFile: run.metricsPath, encoding: .utf8) == metrics)
    try FileManager.default.removeItem(atPath: run.checkpoints.statePath)
    try FileManager.default.moveItem(atPath: root.file("state"), toPath: run.checkpoints.statePath)
    try train(settings, in: run, resuming: true)
    try train(settings, in: directory("whole"))
    #expect(try checksum(of: run) == checksum(of: directory("whole")))
  }

  @Test func aReportThatTheStateHasNotSeenIsDropped() throws {
    var settings = configuration(episodes: 1_000_000)
    settings.reportEveryEpisodes = 500_000
    let run = directory("a")
    #expect(try trainAndStop(settings, in: run, after: 10).isEmpty)
    let episodes = try run.checkpoints.checkpoint(.latest).episodes
    // A kill after the report of an evaluation that was played when the run was resumed.
    let report = TrainingReport(
      episodes: episodes, moves: 1, wallSeconds: 1, movesPerSecond: 1, meanScore: 1, maxScore: 1,
      reached: [:], learningRate: 0.1)
    try appendToFile(Data(report.jsonLine().utf8), at: run.metricsPath)
    _ = try TrainingRun.resume(in: run, configuration: settings)
    #expect(run.reports.isEmpty)
  }

  @Test func accumulatorsGoOnToo() throws {
    var settings = configuration()
    settings.method = StepSchedule(steps: [
      .init(from: 0, value: .td), .init(from: 0.25, value: .tc),
    ])!
    settings.learningRate = StepSchedule(constant: 0.5)
    settings.returns = .lambda
    try train(settings, in: directory("whole"))
    // One stop before the first update of the accumulators, and one after.
    try train(settings, in: directory("parts"), stopAt: 100)
    try train(settings, in: directory("parts"), stopAt: 400, resuming: true)
    try train(settings, in: directory("parts"), resuming: true)
    #expect(try checksum(of: directory("parts")) == checksum(of: directory("whole")))
    for name in ["tc.error", "tc.absolute"] {
      let sums = try ["whole", "parts"].map { run in
        let state = try directory(run).checkpoints.resume().state
        return try #require(state.accumulator(name)).bits
      }
      #expect(sums[0] == sums[1])
      #expect(sums[0].contains { Float(bitPattern: $0) != 0 })
    }
  }

  /// Configurations with different state that a run keeps besides weights and accumulators.
  static let recipes: [(name: String, change: @Sendable (inout TrainingConfiguration) -> Void)] = [
    ("restart", { $0.starts = StepSchedule(constant: .restart) }),
    (
      "carousel after openings",
      {
        $0.starts = StepSchedule(steps: [
          .init(from: 0, value: .opening), .init(from: 0.25, value: .carousel),
        ])!
        $0.carouselTiles = [64, 128, 256]
      }
    ),
    (
      // The stops are between two averages.
      "averaging",
      {
        $0.averagingEveryEpisodes = 70
        $0.averagingFrom = 0.25
        $0.averagingShare = 0.5
        $0.averagingWindow = 4
      }
    ),
    (
      "stages of optimistic weights",
      {
        $0.stages = .largestTile
        $0.stageTiles = [128, 256]
        $0.initialValue = 500
      }
    ),
    ("inheritance", { $0.inheritEveryEpisodes = 20 }),
    (
      "tile downgrading",
      {
        // Only 4s are spawned, so games soon reach 1024.
        $0.fourProbability = 1
        $0.downgradeTile = 1024
      }
    ),
    (
      "an average of stages",
      {
        $0.stages = .largestTile
        $0.stageTiles = [128]
        $0.averagingEveryEpisodes = 70
      }
    ),
  ]

  @Test(arguments: recipes.indices, LearningMode.allCases)
  func whatARecipeKeepsGoesOn(recipe: Int, mode: LearningMode) throws {
    var settings = configuration()
    settings.method = StepSchedule(constant: .tc)
    settings.mode = mode
    let (name, change) = TrainingRunTests.recipes[recipe]
    let plain = try train(settings, in: directory("plain"))
    change(&settings)
    let whole = try train(settings, in: directory("whole"))
    try train(settings, in: directory("parts"), stopAt: 100)
    // Neither the number of threads nor the time of saving affects rounds.
    if mode == .synchronous { settings.threads = 2 }
    try train(settings, in: directory("parts"), stopAt: 300, resuming: true)
    var saving = settings
    // Every round is saved.
    if mode == .synchronous { saving.checkpointEverySeconds = 1e-9 }
    try train(saving, in: directory("parts"), stopAt: 400, resuming: true)
    try train(settings, in: directory("parts"), resuming: true)
    #expect(try checksum(of: directory("parts")) == checksum(of: directory("whole")), "\(name)")
    let moves = directory("parts").reports.map(\.moves)
    #expect(moves == whole.reports.map(\.moves), "\(name)")
    #expect(try checksum(of: directory("plain")) != checksum(of: directory("whole")), "\(name)")
    let startsWithinGames = settings.starts.steps.contains { $0.value != .opening }
    #expect(whole.reports.contains { $0.games != nil } == startsWithinGames, "\(name)")
    #expect(plain.reports.allSatisfy { $0.games == nil })
  }

  // Promise: A resumed run ends in the same weights
  @Test(arguments: RandomSourceKind.allCases)
  func aResumedRunEndsAsIfItHadNotStopped(source: RandomSourceKind) throws {
    var settings = configuration()
    settings.randomSource = source
    // The stop is between two reports, so that sums are carried over it.
    settings.reportEveryEpisodes = 150
    settings.checkpointEveryEpisodes = 70
    let whole = try train(settings, in: directory("whole"))
    let first = try train(settings, in: directory("parts"), stopAt: 300)
    #expect(first.outcome == .interrupted)
    let second = try train(settings, in: directory("parts"), resuming: true)
    #expect(second.outcome == .finished)
    #expect(try checksum(of: directory("parts")) == checksum(of: directory("whole")))

    func played(_ reports: [TrainingReport]) -> [[Double]] {
      reports.map { [Double($0.episodes), Double($0.moves), $0.meanScore, $0.learningRate] }
    }
    #expect(played(directory("parts").reports) == played(whole.reports))
  }

  // Promise: A resumed run ends in the same weights
  @Test func aKilledRunGoesOnFromItsLastCheckpoint() throws {
    var settings = configuration()
    settings.checkpointEveryEpisodes = 200
    try train(settings, in: directory("whole"))
    // The files after a kill at episode 300: the checkpoint of 200, and reports up to 300.
    try train(settings, in: directory("killed"), stopAt: 200)
    for episodes in [250, 300] {
      let report = TrainingReport(
        episodes: episodes, moves: 0, wallSeconds: 0, movesPerSecond: 0, meanScore: 0, maxScore: 0,
        reached: [:], learningRate: 0)
      try MetricsFile(path: directory("killed").metricsPath)
        .append(Data(report.jsonLine().utf8))
    }
    try train(settings, in: directory("killed"), resuming: true)
    #expect(try checksum(of: directory("killed")) == checksum(of: directory("whole")))
    #expect(directory("killed").reports.map(\.episodes) == [100, 200, 300, 400, 500, 600])
  }

  @Test func aFinishedRunNeedsALargerTotal() throws {
    var settings = configuration(episodes: 100)
    try train(settings, in: directory("run"))
    #expect(throws: LocatedError.finished(directory("run").path, key: "episodes", episodes: 100)) {
      try TrainingRun.resume(in: directory("run"), configuration: settings)
    }
    settings.episodes = 200
    let more = try train(settings, in: directory("run"), resuming: true)
    #expect(more.reports.map(\.episodes) == [200])
  }

  @Test func theTimeToAnEvaluationIsSaved() throws {
    var settings = configuration()
    settings.evaluationEverySeconds = 1_000
    settings.evaluationGames = 1
    func secondsSinceEvaluation() throws -> Double {
      let text = try directory("run").checkpoints.resume().state.text
      let state = try JSONDecoder().decode(RunState.self, from: Data(text.utf8))
      return try #require(state.secondsSinceEvaluation)
    }
    do {
      let run = try TrainingRun.start(in: directory("run"), configuration: settings)
      _ = try run.train(logger: silent, evaluate: GreedyEvaluation.play) { report in
        guard report.episodes == 100 else { return }
        usleep(300_000)
        run.monitor.requestStop()
      }
    }
    let before = try secondsSinceEvaluation()
    #expect(before >= 0.3)
    // The second session is far shorter.
    try train(settings, in: directory("run"), stopAt: 200, resuming: true)
    #expect(try secondsSinceEvaluation() >= before)
  }
}
