import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Training

@Suite struct RunPartsTests {
  @Test func ledgerHandsOutEveryEpisodeOnce() {
    let ledger = EpisodeLedger(episodes: 10, moves: 70)
    ledger.open(until: 13, deadline: nil)
    #expect(ledger.claim() == 10)
    #expect(ledger.claim() == 11)
    ledger.record(EpisodeResult(score: 4, moves: 2, largestExponent: 2))
    #expect(ledger.claim() == 12)
    #expect(ledger.claim() == nil)
    #expect(ledger.snapshot.episodes == 11)
    #expect(ledger.snapshot.moves == 72)
    // Episodes that were claimed but not finished are handed out again later.
    ledger.open(until: 13, deadline: nil)
    #expect(ledger.claim() == 11)
    ledger.requestStop()
    #expect(ledger.claim() == nil)
  }

  @Test func timeInWhichTheProcessWasStoppedDoesNotCount() {
    let start = SuspendingClock.now
    var pauses = Pauses(since: start)
    // The clock is read at 4 s, at 8 s and, after a pause of an hour, at 3,608 s and 3,609 s.
    let times = [4, 8, 3_608, 3_609].map {
      start.duration(to: pauses.time(at: start + .seconds($0)))
    }
    #expect(times == [.seconds(4), .seconds(8), .seconds(8), .seconds(9)])
  }

  @Test func ledgerKeepsDeadlines() {
    let ledger = EpisodeLedger()
    ledger.open(until: 5, deadline: RunClock.now - .seconds(1))
    // However late it is, a run continues.
    #expect(ledger.claim() == 0)
    #expect(ledger.claim() == nil)
    ledger.open(until: 5, deadline: RunClock.now + .seconds(1_000))
    #expect(ledger.claim() == 0)
  }

  @Test func aRequestedSaveBringsTheBarrierForward() {
    let ledger = EpisodeLedger()
    ledger.requestSave()
    ledger.open(until: 5, deadline: nil)
    // The run continues, however often a save is requested.
    #expect(ledger.claim() == 0)
    #expect(ledger.claim() == nil)
    #expect(ledger.takeSaveRequest() && !ledger.takeSaveRequest())
    #expect(ledger.claim() == 1)
    // Until a merge, the other ranks play on.
    ledger.requestSave()
    ledger.open(until: 5, deadline: nil, yieldsToSaves: false)
    #expect(ledger.claim() == 0 && ledger.claim() == 1)
  }

  @Test func theTimeToAnEvaluationGoesOnInTheNextSession() {
    var configuration = TrainingConfiguration()
    configuration.evaluationEverySeconds = 600
    let now = SuspendingClock.now
    let schedule = RunSchedule(configuration, now: now, sinceEvaluation: 540)
    func isDue(after seconds: Double) -> Bool {
      schedule.due(at: 1, after: 0, share: 0, now: now + .seconds(seconds)).evaluation
    }
    #expect(!isDue(after: 59) && isDue(after: 61))
    #expect(abs(schedule.secondsSinceEvaluation(at: now + .seconds(30)) - 570) < 1e-6)
  }

  @Test func barriersComeWhenAnythingIsDue() {
    var configuration = TrainingConfiguration()
    configuration.episodes = 100
    configuration.reportEveryEpisodes = 30
    configuration.evaluationEveryEpisodes = 50
    configuration.checkpointEveryEpisodes = 0
    configuration.checkpointEverySeconds = 10
    let start = SuspendingClock.now
    var schedule = RunSchedule(configuration, now: start)
    var barriers: [Int] = []
    var episodes = 0
    while episodes < 100 {
      episodes = schedule.nextBarrier(after: episodes, of: 100)
      barriers.append(episodes)
    }
    #expect(barriers == [30, 50, 60, 90, 100])
    func due(_ episodes: Int, after before: Int, seconds: Double = 0) -> RunSchedule.Due {
      schedule.due(
        at: episodes, after: before, share: Double(episodes) / 100, now: start + .seconds(seconds))
    }
    #expect(due(30, after: 0) == .init(report: true))
    #expect(due(50, after: 30) == .init(evaluation: true))
    #expect(due(51, after: 50, seconds: 11) == .init(checkpoint: true))
    // No game may end in a round.
    #expect(due(50, after: 50) == .init())
    #expect(due(50, after: 50, seconds: 11) == .init(checkpoint: true))
    #expect(schedule.nextDeadline == start + .seconds(10))
    schedule.saved(at: start + .seconds(11))
    #expect(schedule.nextDeadline == start + .seconds(21))
    #expect(due(51, after: 50, seconds: 12) == .init())
  }

  @Test func evaluationsBeginEarlyAndGetRarer() {
    func evaluations(first: Int, every: Int, until end: Int, from start: Int = 0) -> [Int] {
      var configuration = TrainingConfiguration()
      configuration.reportEveryEpisodes = 30
      configuration.evaluationFirstEpisodes = first
      configuration.evaluationEveryEpisodes = every
      let schedule = RunSchedule(configuration, now: .now)
      var (found, episodes) = ([Int](), start)
      while episodes < end {
        let before = episodes
        episodes = schedule.nextBarrier(after: before, of: end)
        let due = schedule.due(at: episodes, after: before, share: 0, now: .now)
        if due.evaluation { found.append(episodes) }
      }
      return found
    }
    #expect(
      evaluations(first: 50, every: 1_000, until: 3_000) == [
        50, 100, 200, 400, 800, 1_000, 2_000, 3_000,
      ])
    // A resumed run goes on where it stopped.
    #expect(evaluations(first: 50, every: 0, until: 900, from: 110) == [200, 400, 800])
    #expect(evaluations(first: 500, every: 200, until: 700) == [200, 400, 600])
    #expect(evaluations(first: .max / 2 + 1, every: 0, until: 100).isEmpty)
    // Several at once, as between the merges of a job.
    var configuration = TrainingConfiguration()
    configuration.evaluationFirstEpisodes = 50
    let schedule = RunSchedule(configuration, now: .now)
    #expect(schedule.due(at: 500, after: 60, share: 0, now: .now).evaluation)
    #expect(!schedule.due(at: 399, after: 200, share: 0, now: .now).evaluation)
  }

  @Test func inheritanceGetsRarer() {
    var configuration = TrainingConfiguration()
    configuration.reportEveryEpisodes = 1_000
    configuration.inheritEveryEpisodes = 20
    let schedule = RunSchedule(configuration, now: .now)
    var inheritances: [Int] = []
    var episodes = 0
    while episodes < 500 {
      let before = episodes
      episodes = schedule.nextBarrier(after: before, of: 500)
      if schedule.due(at: episodes, after: before, share: 0, now: .now).inheritance {
        inheritances.append(episodes)
      }
    }
    #expect(inheritances == Array(stride(from: 20, through: 200, by: 20)) + [300, 400, 500])
    #expect(!schedule.due(at: 210, after: 200, share: 0, now: .now).inheritance)
  }

  @Test func statisticsOfEpisodes() {
    var statistics = EpisodeStatistics()
    for (score, exponent) in [(100, 5), (20_000, 11), (60_000, 12)] {
      statistics.add(EpisodeResult(score: score, moves: 10, largestExponent: exponent))
    }
    #expect(statistics.meanScore == 26_700)
    #expect(statistics.maxScore == 60_000)
    #expect(statistics.moves == 30)
    #expect(statistics.reached == ["2048": 2.0 / 3, "4096": 1.0 / 3])
    #expect(EpisodeStatistics().reached == [:])
    // An episode that started in the middle of a game counts as an episode, but not for scores and tiles.
    statistics.add(
      EpisodeResult(score: 90_000, moves: 5, largestExponent: 13, isWholeGame: false))
    #expect(statistics.episodes == 4)
    #expect(statistics.games == 3)
    #expect(statistics.moves == 35)
    #expect(statistics.meanScore == 26_700)
    #expect(statistics.reached == ["2048": 2.0 / 3, "4096": 1.0 / 3])
  }

  @Test func metricsForgetWhatTheCheckpointHasNotSeen() throws {
    let directory = try TemporaryDirectory()
    let file = MetricsFile(path: directory.path + "/metrics.jsonl")
    for episodes in [10, 20, 30] {
      let report = TrainingReport(
        episodes: episodes, moves: 1, wallSeconds: 1, movesPerSecond: 1, meanScore: 1, maxScore: 1,
        reached: [:], learningRate: 0.1)
      try file.append(Data(report.jsonLine().utf8))
    }
    // A kill during a write leaves an incomplete line.
    try appendToFile(Data(#"{"episodes": 40, "mo"#.utf8), at: file.path)
    #expect(file.reports().map(\.episodes) == [10, 20, 30])
    #expect(try file.truncate(after: 20) == 1)
    #expect(file.reports().map(\.episodes) == [10, 20])
    let damaged = directory.path + "/metrics.damaged.jsonl"
    #expect(try String(contentsOfFile: damaged, encoding: .utf8) == "{\"episodes\": 40, \"mo\n")
    #expect(try file.truncate(after: 20) == 0)
    #expect(try String(contentsOfFile: file.path, encoding: .utf8).hasSuffix("}\n"))
  }

  /// A report with every number.
  private static let report = TrainingReport(
    episodes: 10, moves: 20, wallSeconds: 3, trainingSeconds: 2, movesPerSecond: 10, games: 5,
    meanScore: 100, maxScore: 200, reached: ["2048": 1], learningRate: 0.1,
    evaluation: TrainingReport.Evaluation(games: 5, meanScore: 100, ci95: 90...110))

  /// Changes after which no run can have made the report.
  private static let impossible: [@Sendable (inout TrainingReport) -> Void] = [
    { $0.episodes = -1 }, { $0.episodes = .max }, { $0.moves = -1 }, { $0.moves = (1 << 53) + 1 },
    { $0.games = -1 }, { $0.maxScore = .max }, { $0.wallSeconds = -1 }, { $0.trainingSeconds = -1 },
    { $0.movesPerSecond = -1 }, { $0.learningRate = -1 }, { $0.meanScore = -1 },
    { $0.meanScore = 1e300 }, { $0.reached = ["2048": 1.5] }, { $0.reached = ["2048": -1] },
    { $0.evaluation?.games = -1 }, { $0.evaluation?.meanScore = 1e300 },
    { $0.evaluation?.ci95 = -1...1 }, { $0.evaluation?.ci95 = 0...1e300 },
  ]

  @Test(arguments: impossible.indices)
  func aReportThatNoRunCanHaveMadeIsDamaged(change: Int) throws {
    let directory = try TemporaryDirectory()
    let file = MetricsFile(path: directory.file("metrics.jsonl"))
    var report = RunPartsTests.report
    try file.append(Data(report.jsonLine().utf8))
    RunPartsTests.impossible[change](&report)
    try file.append(Data(report.jsonLine().utf8))
    #expect(file.reports() == [RunPartsTests.report])
    #expect(file.lastReports(2) == [RunPartsTests.report])
    #expect(try file.truncate(after: 10) == 1)
    #expect(file.reports() == [RunPartsTests.report])
  }

  @Test func theLargestNumbersOfAReportAreRead() throws {
    let directory = try TemporaryDirectory()
    let file = MetricsFile(path: directory.file("metrics.jsonl"))
    var report = RunPartsTests.report
    (report.episodes, report.moves, report.maxScore) = (1 << 53, 1 << 53, 1 << 53)
    (report.meanScore, report.wallSeconds) = (0x1p53, 1e300)
    try file.append(Data(report.jsonLine().utf8))
    #expect(file.reports() == [report])
  }

  @Test func theTimeLeftOfImpossibleReportsIsNotKnown() throws {
    let root = try TemporaryDirectory()
    let directory = RunDirectory(path: root.path)
    try root.write(#"{"network":{"patterns":["012"]},"episodes":100}"#.utf8, "config.json")
    var report = RunPartsTests.report
    for episodes in [-1, .max] {
      report.episodes = episodes
      try MetricsFile(path: directory.metricsPath).append(Data(report.jsonLine().utf8))
    }
    #expect(directory.secondsLeft() == nil)
  }
}
