import Foundation
import TestSupport
import Testing

@testable import Basics
@testable import Experiments
@testable import Play
@testable import Training

@Suite struct SweepReportTests {
  private func plan(rungs: [SweepPlan.Rung] = []) -> SweepPlan {
    var plan = SweepPlan()
    plan.variants = ["first", "second \"2\""].map {
      SweepPlan.Variant(name: $0, settings: .object([:]), configuration: TrainingConfiguration())
    }
    plan.budget = SweepBudget(100, .moves)
    plan.rungs = rungs
    return plan
  }

  private func result(_ variant: String, _ seed: Int, _ mean: Double, rung: Int = 0) -> TrialResult
  {
    TrialResult(
      variant: variant, seed: seed, rung: rung, episodes: 10 * seed, moves: 100 * seed, seconds: 2,
      games: 5, evaluationSeed: 1,
      score: ArenaReport.Score(
        mean: mean, ci95: ConfidenceInterval(low: mean, high: mean), median: mean, max: Int(mean)),
      reached: [:])
  }

  @Test func statisticsByHand() throws {
    // Seeds in any order, as after a resumption.
    let report = SweepReport(
      plan(),
      [
        result("second \"2\"", 1, 40), result("first", 2, 20), result("first", 1, 10),
        result("first", 3, 30), result("second \"2\"", 3, 60), result("second \"2\"", 2, 50),
      ])
    #expect(report.trialsDone == 6)
    #expect(accepts(.object(SweepReport.schema), report.json), "\(report.json.text)")
    #expect(report.trialsTotal == 6)
    let (first, second) = (report.rows[0], report.rows[1])
    #expect(first.scores == [10, 20, 30])
    #expect(first.mean == 20)
    // s = 10, so the standard error is 10 / √3; t for 2 degrees of freedom is 4.30265.
    let interval = try #require(first.ci95)
    #expect(abs(interval.low - (20 - 4.302653 * 10 / 3.squareRoot())) < 1e-4)
    #expect(abs(interval.high - (20 + 4.302653 * 10 / 3.squareRoot())) < 1e-4)
    #expect(first.difference == nil)
    #expect(second.difference == 30)
    // Equal variances: 4 degrees of freedom, t = 2.776445, and the error is √(2 · 100 / 3).
    let difference = try #require(second.differenceCi95)
    #expect(abs(difference.low - (30 - 2.776445 * (200.0 / 3).squareRoot())) < 1e-4)
    #expect(first.moves == 200)
    #expect(first.seconds == 2)
    #expect(first.movesPerSecond == 100)
    let lines = report.csv.split(separator: "\r\n")
    #expect(lines[0].hasSuffix("movesPerSecond,seed1,seed2,seed3"))
    #expect(lines[1].hasPrefix("first,100.0,moves,true,20,"))
    #expect(lines[2].hasPrefix("\"second \"\"2\"\"\",100.0,moves,true,50,"))
    #expect(lines[2].hasSuffix(",20,200,2,100,40,50,60"))
    #expect(try report.jsonLines().split(separator: "\n").count == 2)
  }

  @Test func oneSeedHasNoInterval() {
    let report = SweepReport(plan(), [result("first", 1, 10), result("second \"2\"", 1, 40)])
    #expect(report.rows.map(\.ci95) == [nil, nil])
    #expect(report.rows[1].difference == 30)
    #expect(report.rows[1].differenceCi95 == nil)
  }

  @Test func rungsHaveRowsOfTheirOwn() {
    let plan = plan(rungs: [.init(budget: SweepBudget(50, .moves), keep: 0.5)])
    let report = SweepReport(
      plan,
      (1...3).flatMap { seed in
        [
          result("first", seed, 2), result("second \"2\"", seed, 1),
          result("first", seed, 3, rung: 1),
        ]
      })
    #expect(report.rows.map(\.rung) == [0, 0, 1])
    #expect(report.rows.map(\.budget) == [50, 50, 100])
    #expect(report.rows.map(\.isLast) == [false, true, true])
    #expect(report.rows.map(\.difference) == [nil, -1, nil])
    #expect(report.trialsTotal == 9)
  }

  @Test func theFirstVariantContinuesWithTheBest() throws {
    let plan = plan(rungs: [.init(budget: SweepBudget(50, .moves), keep: 0.5)])
    let results = (1...3).flatMap { seed in
      [
        result("first", seed, 1), result("second \"2\"", seed, 2),
        result("first", seed, 5, rung: 1), result("second \"2\"", seed, 3, rung: 1),
      ]
    }
    let report = SweepReport(plan, results)
    let selection = try #require(plan.selection(from: [0, 1], at: 0, report.rows))
    #expect(selection.kept == [1, 0] && selection.dropped == [])
    #expect(report.rows.map(\.isLast) == [false, false, true, true])
    #expect(report.rows.map(\.difference) == [nil, 1, nil, -2])
    #expect(report.trialsTotal == 12)
  }

  @Test func aVariantIsLastAtARungWhenTheRungHasDroppedIt() {
    let plan = plan(rungs: [.init(budget: SweepBudget(50, .moves), keep: 0.5)])
    var results = (1...3).map { result("first", $0, 2) }
    results += (1...2).map { result("second \"2\"", $0, 1) }
    #expect(SweepReport(plan, results).rows.map(\.isLast) == [false, false])
    // The first variant continues, and has no result at the next rung yet.
    results.append(result("second \"2\"", 3, 1))
    #expect(SweepReport(plan, results).rows.map(\.isLast) == [false, true])
    results.append(result("first", 1, 3, rung: 1))
    #expect(SweepReport(plan, results).rows.map(\.isLast) == [false, true, true])
  }

  private func divergence(_ variant: String, _ seed: Int) -> TrialResult {
    TrialResult(
      variant: variant, seed: seed, rung: 0, diverged: true, episodes: 10, moves: 100, seconds: 2,
      games: 0, evaluationSeed: 1, score: nil, reached: [:])
  }

  @Test func aVariantThatDivergesWithASeedHasNoScore() throws {
    let report = SweepReport(
      plan(),
      [
        result("first", 1, 10), divergence("first", 2), result("second \"2\"", 1, 40),
        result("second \"2\"", 2, 50),
      ])
    let (first, second) = (report.rows[0], report.rows[1])
    #expect(first.scores == [10, nil])
    #expect(first.mean == nil && first.ci95 == nil)
    #expect(first.diverged == [2])
    #expect(accepts(.object(SweepReport.schema), report.json), "\(report.json.text)")
    #expect(second.mean == 45 && second.diverged == nil)
    #expect(second.difference == nil && second.differenceCi95 == nil)
    let lines = report.csv.split(separator: "\r\n")
    #expect(lines[1].hasPrefix("first,100.0,moves,true,diverged,,,,,,10,100,2,50,"))
    #expect(lines[1].hasSuffix(",10,diverged"))
    let rows = try report.jsonLines().split(separator: "\n")
    #expect(rows[0].contains("\"diverged\":[2]") && rows[0].contains(",null]"))
    #expect(!rows[0].contains("\"mean\"") && !rows[1].contains("diverged"))
  }

  @Test func aRungDropsVariantsThatDiverged() throws {
    var plan = plan(rungs: [.init(budget: SweepBudget(50, .moves), keep: 0.9)])
    plan.seeds = [1]
    var results = [divergence("first", 1), result("second \"2\"", 1, 1)]
    let report = SweepReport(plan, results)
    #expect(report.rows.map(\.isLast) == [true, false])
    // The plan has two trials at the rung and, unless a variant diverges, two after it.
    #expect(report.trialsTotal == 3)
    let selection = try #require(plan.selection(from: [0, 1], at: 0, report.rows))
    #expect(selection.kept == [1] && selection.dropped == [0])
    results[1] = divergence("second \"2\"", 1)
    #expect(SweepReport(plan, results).trialsTotal == 2)
  }

  @Test("whatever result is written, is read")
  func ends() throws {
    var plan = plan()
    plan.seeds = [0, 1, InputLimit.count.most]
    var results: [TrialResult] = []
    for (seed, count) in zip(plan.seeds, [0, 1, InputLimit.count.most]) {
      var diverged = result("first", seed, 0)
      (diverged.episodes, diverged.moves, diverged.games, diverged.score) = (count, count, 0, nil)
      diverged.diverged = true
      var best = result(
        "second \"2\"", seed, min(Double(count), Double(InputLimit.countOfEpisode.most)))
      (best.episodes, best.moves, best.games) = (count, count, max(1, count))
      (best.seconds, best.evaluationSeed) = (count == 1 ? 1e-300 : 1e11, .max)
      best.reached = ["2048": .leastNonzeroMagnitude, "\(1 << 31)": 1]
      results += [diverged, best]
    }
    var check = TrialCheck(plan)
    for result in results {
      let text = try JSONEncoder.text(result)
      let read = try JSONDecoder().decode(TrialResult.self, from: Data(text.utf8))
      #expect(read == result && check.problem(of: read) == nil, "\(text)")
    }
  }

  // Promise: A run is never lost
  @Test("the results of a sweep are old or new after a crash, and are completed")
  func crash() throws {
    let root = try TemporaryDirectory()
    let text =
      #"{"base": {"network": {"patterns": ["01"]}}, "variants": [{"name": "a"}], "seeds": 3, "budget": {"moves": 9}}"#
    let plan = try SweepPlanReader.plan(Data(text.utf8), name: "plan", readFile: { _ in nil })
    let directory = SweepDirectory(path: root.file("sweep"))
    try FileManager.default.createDirectory(
      atPath: directory.path, withIntermediateDirectories: false)
    try writeAtomically(plan.json.text.utf8, to: directory.planPath)
    let results = plan.seeds.map { result("a", $0, Double($0)) }
    func write(_ count: Int, to directory: SweepDirectory) throws {
      let some = Array(results.prefix(count))
      try directory.write(some, SweepReport(plan, some))
    }
    let recorder = try CrashRecorder(of: directory.path)
    try FileOperations.$current.withValue(recorder.operations) {
      for count in 1...3 { try write(count, to: directory) }
    }
    let copy = SweepDirectory(path: root.file("copy"))
    let states = recorder.states()
    var counts: Set<Int> = []
    for state in states {
      try recorder.write(state, to: copy.path)
      let read = try copy.results()
      #expect(read == Array(results.prefix(read.count)))
      counts.insert(read.count)
      // As a resumed sweep does.
      Temporaries.removeStale(in: copy.path)
      try write(3, to: copy)
      #expect(
        try CrashRecorder.contents(of: copy.path) == CrashRecorder.contents(of: directory.path))
    }
    #expect(counts == [0, 1, 2, 3])
    #expect(states.count == 28, "the number of states")
  }
}
