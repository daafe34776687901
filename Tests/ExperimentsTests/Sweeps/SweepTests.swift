import Foundation
import Synchronization
import TestSupport
import Testing
import Training

@testable import Basics
@testable import Experiments

/// Sweeps over two patterns of three cells: fractions of a second.
@Suite struct SweepTests {
  let root: TemporaryDirectory
  /// The directory for temporary directories of ranks.
  private let temporaryRoot: TemporaryDirectory
  private var temporary: String { temporaryRoot.path }

  init() throws {
    root = try TemporaryDirectory()
    temporaryRoot = try TemporaryDirectory()
  }

  private func plan(_ more: String = "", depth: Int = 1) throws -> SweepPlan {
    let text = """
      {"base": {"network": {"patterns": ["012", "456"]}, "report": {"everyEpisodes": 20}},
       "grid": {"learning.learningRate": [0.1, 0.5, 1e-6]}, "seeds": 2,
       "budget": {"moves": 20000}, "evaluation": {"games": 20, "depth": \(depth)} \(more)}
      """
    return try SweepPlanReader.plan(Data(text.utf8), name: "plan", readFile: { _ in nil })
  }

  private func directory(_ name: String) -> SweepDirectory { SweepDirectory(path: root.file(name)) }

  /// What decides a result, without what time does.
  private func played(_ results: [TrialResult]) -> [TrialResult] {
    results.map {
      var result = $0
      result.seconds = 0
      return result
    }.sorted { ($0.rung, $0.variant, $0.seed) < ($1.rung, $1.variant, $1.seed) }
  }

  @Test func everyTrialIsTrainedAndEvaluatedOnTheSameBudget() throws {
    let sweep = try Sweep.start(try plan(), in: directory("s"), threads: 2)
    var done: [Int] = []
    let outcome = try sweep.run {
      if case .done(_, let number, let total) = $0 { done += [number, total] }
    }
    #expect(outcome == .finished)
    #expect(done == [1, 6, 2, 6, 3, 6, 4, 6, 5, 6, 6, 6])
    let results = try directory("s").results()
    // One worker ends with the first episode that reaches the budget.
    #expect(results.allSatisfy { (20_000..<22_000).contains($0.moves) && $0.games == 20 })
    #expect(results.map(\.seed) == [1, 1, 1, 2, 2, 2])
    #expect(results.map(\.evaluationSeed) == [1, 1, 1, 2, 2, 2])
    let report = sweep.report
    #expect(
      report.rows.map(\.variant) == ["learningRate=0.1", "learningRate=0.5", "learningRate=1e-06"])
    // What learns nothing plays worse than what learns.
    let means = report.rows.compactMap(\.mean)
    try #require(means.count == 3)
    #expect(means[2] < 0.8 * means[0])
    #expect(try String(contentsOfFile: directory("s").csvPath, encoding: .utf8) == report.csv)

    // The same networks play better when they look further ahead.
    let deeper = try Sweep.start(try plan(depth: 2), in: directory("deeper"), threads: 2)
    _ = try deeper.run { _ in }
    let deeperMean = try #require(deeper.report.rows[0].mean)
    #expect(deeperMean > 1.2 * means[0])

    // The runs stay, with their curves; their weights go.
    let run = directory("s").run(ofVariant: 1, of: sweep.plan, seed: 2)
    #expect(run.path.hasSuffix("/runs/2-learningRate=0.5-seed2"))
    #expect(try run.configuration().seed == 2)
    #expect(run.reports.last?.moves == results[4].moves)
    #expect(!FileManager.default.fileExists(atPath: run.checkpoints.path))
  }

  @Test func theMemoryOfEvaluationsIsCheckedBeforeTraining() throws {
    let runner = TrialRunner(plan: try plan(depth: 5), directory: directory("s"), threads: 2)
    let trial = Trial(variant: 0, seedIndex: 0, rung: 0, number: 1, total: 1)
    // One table of 16 MiB fits, two do not.
    let error = #expect(throws: LocatedError.self) {
      try Memory.$assumed.withValue(Memory.reserve + 20 << 20) {
        _ = try runner.carryOut(trial) { _ in }
      }
    }
    #expect(error?.kind == .insufficientMemory)
    #expect(!FileManager.default.fileExists(atPath: runner.run(of: trial).path))
  }

  @Test func aStoppedSweepGoesOnWhereItWas() throws {
    func carryOut(_ sweep: Sweep) throws -> TrainingRun.Outcome { try sweep.run { _ in } }
    #expect(
      try carryOut(Sweep.start(try plan(), in: directory("whole"), threads: 1)) == .finished)

    func stopped(at place: Int, _ sweep: Sweep) throws {
      var events = 0
      let outcome = try sweep.run { _ in
        events += 1
        if events == place { sweep.requestStop() }
      }
      #expect(outcome == .interrupted)
    }
    // Before the first training, and then in the evaluation of the first and the training of the third trial.
    try stopped(at: 1, Sweep.start(try plan(), in: directory("parts"), threads: 1))
    #expect(try directory("parts").results().isEmpty)
    try stopped(at: 2, Sweep.resume(in: directory("parts"), threads: 1))
    #expect(try directory("parts").results().isEmpty)
    // A power failure can take reports with it; the results do not depend on them.
    let reports = directory("parts").run(ofVariant: 0, of: try plan(), seed: 1).metricsPath
    try FileManager.default.removeItem(atPath: reports)
    try stopped(at: 6, Sweep.resume(in: directory("parts"), threads: 1))
    #expect(try directory("parts").results().count == 2)

    // A kill in the middle of a line loses that trial's result, and no more.
    var text = try String(contentsOfFile: directory("parts").trialsPath, encoding: .utf8)
    text += #"{"variant": "learn"#
    try Data(text.utf8).write(to: URL(fileURLWithPath: directory("parts").trialsPath))
    let rest = try Sweep.resume(in: directory("parts"), threads: 2)
    #expect(rest.plan == (try directory("whole").plan()))
    var trained: [Int] = []
    let outcome = try rest.run {
      if case .running(_, _, let number, _, .some) = $0 { trained.append(number) }
    }
    #expect(outcome == .finished)
    #expect(trained == [3, 4, 5, 6])
    #expect(try played(directory("parts").results()) == played(directory("whole").results()))
    // A line that is damaged is named, and no trial is done again that has been done.
    let lines = try Data(contentsOf: URL(fileURLWithPath: directory("parts").trialsPath))
    try (Data([0xFF, 0x0A]) + lines).write(to: URL(fileURLWithPath: directory("parts").trialsPath))
    let error = #expect(throws: LocatedError.self) {
      try directory("parts").results()
    }
    #expect(error?.place == "line 1")
    try lines.write(to: URL(fileURLWithPath: directory("parts").trialsPath))
    // A finished sweep has nothing more to do.
    let again = try Sweep.resume(in: directory("whole"), threads: 1)
    #expect(try again.run { _ in Issue.record("nothing is left") } == .finished)
  }

  @Test func aTrialWhoseLineIsRemovedIsRepeated() throws {
    func carryOut(_ sweep: Sweep) throws -> TrainingRun.Outcome { try sweep.run { _ in } }
    #expect(try carryOut(Sweep.start(try plan(), in: directory("s"), threads: 1)) == .finished)
    let before = try directory("s").results()
    let path = directory("s").trialsPath
    var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    lines.remove(at: 2)
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
    // The weights of the trial have been discarded.
    #expect(try carryOut(Sweep.resume(in: directory("s"), threads: 1)) == .finished)
    #expect(try played(directory("s").results()) == played(before))
  }

  @Test(arguments: [
    (#""variant":"learningRate=0.1""#, #""variant":"x""#), (#""seed":1"#, #""seed":3"#),
    (#""rung":0"#, #""rung":1"#), (#""mean":2"#, #""mean":1.7e308"#), (#""mean":2"#, #""mean":-1"#),
    (#""median":2"#, #""median":1e300"#), (#""ci95":[1,3]"#, #""ci95":[1,1e300]"#),
    (#""max":4"#, #""max":-4"#), (#""episodes":10"#, #""episodes":-10"#),
    (#""moves":100"#, #""moves":9223372036854775807"#), (#""seconds":1"#, #""seconds":1e300"#),
    (#""games":20"#, #""games":0"#), (#""games":20"#, #""games":20,"diverged":true"#),
    (#""reached":{}"#, #""reached":{"2048":2}"#),
    // The trial of the first line.
    (#""seed":1"#, #""seed":2"#),
  ])
  func aLineThatNoTrialCanHaveWrittenIsNamed(part: String, damaged: String) throws {
    _ = try Sweep.start(try plan(), in: directory("s"), threads: 1)
    let line =
      #"{"episodes":10,"evaluationSeed":1,"games":20,"moves":100,"reached":{},"rung":0,"#
      + #""score":{"ci95":[1,3],"max":4,"mean":2,"median":2},"seconds":1,"seed":1,"#
      + #""variant":"learningRate=0.1"}"#
    let first = line.replacing(#""seed":1"#, with: #""seed":2"#)
    func results(_ lines: String...) throws -> [TrialResult] {
      let text = lines.map { $0 + "\n" }.joined()
      try Data(text.utf8).write(to: URL(fileURLWithPath: directory("s").trialsPath))
      return try directory("s").results()
    }
    #expect(try results(first, line).count == 2)
    let error = #expect(throws: LocatedError.self) {
      try results(first, line.replacing(part, with: damaged))
    }
    #expect(error?.kind == .unsuitableData && error?.path == directory("s").trialsPath)
    #expect(error?.place == "line 2")
  }

  // Promise: A run is never lost
  @Test(
    "a kill while a run is received loses no run that was complete",
    arguments: [
      // While the first copy of a run arrives, and before and after it is in place.
      ([".receiving": "part"], nil), ([".received": "new"], "new"), (["": "new"], "new"),
      // The same with an old copy of the run, which steps aside and is removed.
      (["": "old", ".receiving": "part"], "old"), (["": "old", ".received": "new"], "new"),
      ([".replaced": "old", ".received": "new"], "new"), (["": "new", ".replaced": "old"], "new"),
      (["": "new", ".replaced": ""], "new"),
      // No kill leads here, but the only copy is not thrown away.
      ([".replaced": "old"], "old"),
    ] as [([String: String], String?)])
  func killWhileARunIsReceived(found: [String: String], expected: String?) throws {
    _ = try Sweep.start(try plan(), in: directory("s"), threads: 1)
    for (suffix, text) in found {
      let run = "s/runs/1-a-seed1\(suffix)"
      try createDirectory(at: root.file(run + "/checkpoints"))
      if !text.isEmpty { try root.write(text.utf8, run + "/checkpoints/state") }
    }
    _ = try Sweep.resume(in: directory("s"), threads: 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: root.file("s/runs"))
    #expect(names == (expected == nil ? [] : ["1-a-seed1"]))
    if let expected {
      let state = try root.bytes("s/runs/1-a-seed1/checkpoints/state")
      #expect(String(decoding: state, as: UTF8.self) == expected)
    }
  }

  // Promise: A run is never lost
  @Test func aSweepThatCannotBeginLeavesNoDirectory() throws {
    var operations = FileOperations()
    operations.open = { _, _ in
      errno = ENOSPC
      return -1
    }
    let error = #expect(throws: LocatedError.self) {
      try FileOperations.$current.withValue(operations) {
        _ = try Sweep.start(try plan(), in: directory("s"), threads: 1)
      }
    }
    #expect(error?.kind == .inputOutput && error?.path == directory("s").planPath)
    #expect(root.names == [])
  }

  @Test func theBestGoOnFromRungToRung() throws {
    let rungs = #", "rungs": [{"moves": 10000, "keep": 0.5}], "keepWeights": true"#
    let sweep = try Sweep.start(try plan(rungs), in: directory("halving"), threads: 1)
    var selected: [[String]] = []
    _ = try sweep.run {
      if case .selected(let kept, let dropped) = $0 { selected = [kept, dropped] }
    }
    #expect(selected.map(\.count) == [2, 1])
    #expect(selected[1] == ["learningRate=1e-06"])
    let results = try directory("halving").results()
    #expect(results.map(\.rung) == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    // A run that paused at a rung ends as if it had not.
    let whole = try Sweep.start(try plan(), in: directory("whole"), threads: 1)
    _ = try whole.run { _ in }
    var last = results.filter { $0.rung == 1 }
    for index in last.indices { last[index].rung = 0 }
    let names = Set(last.map(\.variant))
    #expect(
      try played(last) == played(directory("whole").results().filter { names.contains($0.variant) })
    )
    let run = directory("halving").run(ofVariant: 0, of: sweep.plan, seed: 1)
    #expect(FileManager.default.fileExists(atPath: run.checkpoints.path))
  }

  /// Starts or resumes a sweep on some ranks; `onEvent` gets the events of rank 0, and what stops each rank.
  ///
  /// - Parameter operations: What rank 0 uses for the files that it does not write while it trains.
  private func run(
    _ plan: SweepPlan, in directory: SweepDirectory, ranks: Int,
    operations: FileOperations = FileOperations(),
    onEvent: @escaping @Sendable (Sweep.Event, [Int: @Sendable () -> Void]) -> Void = { _, _ in }
  ) throws -> TrainingRun.Outcome {
    let outcome = Mutex<Result<TrainingRun.Outcome, any Error>?>(nil)
    let stops = Mutex<[Int: @Sendable () -> Void]>([:])
    ThreadCommunicator.run(ranks: ranks) { [temporary] communicator in
      guard communicator.isLeader else {
        do {
          let stop = StopRequest()
          stops.withLock { $0[communicator.rank] = stop.request }
          try JobTrials.follow(communicator, threads: 1, stop: stop, in: temporary)
        } catch {
          Issue.record(error)
        }
        return
      }
      let result = Result {
        let sweep =
          directory.exists
          ? try Sweep.resume(in: directory, threads: 1, ranks: communicator)
          : try Sweep.start(plan, in: directory, threads: 1, ranks: communicator)
        return try FileOperations.$current.withValue(operations) {
          try sweep.run { event in onEvent(event, stops.withLock(\.self)) }
        }
      }
      outcome.withLock { $0 = result }
    }
    return try outcome.withLock { $0! }.get()
  }

  @Test func trialsOnSeveralRanksGiveTheResultsOfOneProcess() throws {
    let rungs = #", "rungs": [{"moves": 10000, "keep": 0.5}], "keepWeights": true"#
    let plan = try plan(rungs)
    #expect(try run(plan, in: directory("one"), ranks: 1) == .finished)
    let done = Mutex<[Int]>([])
    let outcome = try run(plan, in: directory("three"), ranks: 3) { event, _ in
      if case .done(_, let number, let total) = event { done.withLock { $0 += [number, total] } }
    }
    #expect(outcome == .finished)
    #expect(done.withLock { Set($0) } == Set(1...10))
    // The lines, too, are in the order of the plan.
    let (one, three) = (try directory("one").results(), try directory("three").results())
    func withoutTime(_ results: [TrialResult]) -> [TrialResult] {
      results.map {
        var result = $0
        result.seconds = 0
        return result
      }
    }
    #expect(withoutTime(three) == withoutTime(one))
    // Rank 0 has all runs, with their weights and curves.
    for (variant, seed) in [(0, 1), (1, 2), (2, 1)] {
      let run = directory("three").run(ofVariant: variant, of: plan, seed: seed)
      let same = directory("one").run(ofVariant: variant, of: plan, seed: seed)
      #expect(
        try run.checkpoints.checkpoint(.latest).name == same.checkpoints.checkpoint(.latest).name)
      #expect(run.reports.map(\.moves) == same.reports.map(\.moves) && !run.reports.isEmpty)
    }
    #expect(try run(plan, in: directory("three"), ranks: 2) == .finished)
  }

  @Test func aSignalToAnyRankSavesAllTrials() throws {
    let plan = try plan(#", "keepWeights": true"#)
    let first = Mutex(true)
    let outcome = try run(plan, in: directory("parts"), ranks: 3) { event, stops in
      // A rank other than 0 gets the signal while all train.
      if case .running(_, _, _, _, .some) = event,
        first.withLock({ first in
          defer { first = false }; return first
        })
      {
        stops[2]?()
      }
    }
    #expect(outcome == .interrupted)
    let before = try directory("parts").results().count
    #expect(before < 6)
    #expect(try run(plan, in: directory("parts"), ranks: 2) == .finished)
    #expect(try run(plan, in: directory("whole"), ranks: 1) == .finished)
    #expect(try played(directory("parts").results()) == played(directory("whole").results()))
  }

  @Test func aSignalToAnyRankLosesNoWeightsWithoutAResult() throws {
    let plan = try plan()
    let parts = directory("parts")
    let hadWeights = Mutex<[Bool]>([])
    let onEvent: @Sendable (Sweep.Event, [Int: @Sendable () -> Void]) -> Void = { event, stops in
      guard case .done(let result, _, _) = event else { return }
      // The result is recorded, and only then are the weights discarded.
      let variant = plan.variants.firstIndex { $0.name == result.variant } ?? 0
      let run = parts.run(ofVariant: variant, of: plan, seed: result.seed)
      let exists = FileManager.default.fileExists(atPath: run.checkpoints.statePath)
      hadWeights.withLock { $0.append(exists) }
      stops[2]?()
    }
    _ = try run(plan, in: parts, ranks: 3, onEvent: onEvent)
    #expect(try run(plan, in: parts, ranks: 2, onEvent: onEvent) == .finished)
    #expect(hadWeights.withLock { $0 } == Array(repeating: true, count: 6))
    #expect(try run(plan, in: directory("whole"), ranks: 1) == .finished)
    #expect(try played(parts.results()) == played(directory("whole").results()))
    for variant in plan.variants.indices {
      for seed in plan.seeds {
        let run = parts.run(ofVariant: variant, of: plan, seed: seed)
        #expect(run.exists && !FileManager.default.fileExists(atPath: run.checkpoints.path))
      }
    }
  }

  @Test func aRunThatRank0CannotStoreIsKeptByItsRank() throws {
    let plan = try plan(#", "keepWeights": true"#)
    var full = FileOperations()
    full.open = { [normal = full] path, flags in
      guard path.contains(".receiving/") else { return normal.open(path, flags) }
      errno = ENOSPC
      return -1
    }
    let parts = directory("parts")
    let failure = #expect(throws: JobFailure.self) {
      try run(plan, in: parts, ranks: 2, operations: full)
    }
    let error = try #require(failure?.error)
    #expect(error.kind == .inputOutput && error.path.hasPrefix("rank 0 on \(hostName): "))
    let kept = try #require(temporaryRoot.names.first { $0.hasPrefix("learn2048-kept-") })
    #expect(temporaryRoot.names == [kept])
    let runs = "\(temporary)/\(kept)/runs"
    let names = try FileManager.default.contentsOfDirectory(atPath: runs)
    let name = try #require(names.first)
    #expect(names.count == 1)
    #expect(
      error.description.hasSuffix(
        "; then move the run that rank 1 on \(hostName) keeps in \(runs)/\(name) to the runs of the sweep, "
          + "and resume it."))
    // The other trials in progress have been saved, and the trial of this run has no result yet.
    let before = try parts.results().count
    #expect(before < 6)
    let moves = RunDirectory(path: "\(runs)/\(name)").reports.last?.moves
    #expect(moves ?? 0 >= 20_000)

    try FileManager.default.moveItem(
      atPath: "\(runs)/\(name)", toPath: "\(parts.path)/runs/\(name)")
    let begun = Mutex(0)
    #expect(
      try run(plan, in: parts, ranks: 1) { event, _ in
        if case .running(_, _, _, _, .some) = event { begun.withLock { $0 += 1 } }
      } == .finished)
    // The trial of the run that was moved is only evaluated.
    #expect(begun.withLock(\.self) == 6 - before - 1)
    #expect(try run(plan, in: directory("whole"), ranks: 1) == .finished)
    #expect(try played(parts.results()) == played(directory("whole").results()))
  }

  @Test func theEventsOfATrialOfRank0PrecedeItsEnd() throws {
    let ended = Mutex<Set<Int>>([])
    let late = Mutex<[Int]>([])
    let outcome = try run(try plan(), in: directory("s"), ranks: 2) { event, _ in
      switch event {
      case .running(_, _, let number, _, _):
        if ended.withLock({ $0.contains(number) }) { late.withLock { $0.append(number) } }
      case .done(_, let number, _): ended.withLock { _ = $0.insert(number) }
      case .selected: break
      }
    }
    #expect(outcome == .finished)
    #expect(ended.withLock { $0.count } == 6)
    #expect(late.withLock { $0 } == [])
  }

  @Test(arguments: [1, 2]) func aVariantThatDivergesIsDropped(ranks: Int) throws {
    let text = """
      {"base": {"network": {"patterns": ["012", "456"]}, "report": {"everyEpisodes": 20}},
       "grid": {"learning.learningRate": [0.1, 16, 0.5]}, "seeds": 2, "budget": {"moves": 20000},
       "rungs": [{"moves": 10000, "keep": 0.9}], "evaluation": {"games": 20}}
      """
    let plan = try SweepPlanReader.plan(Data(text.utf8), name: "plan", readFile: { _ in nil })
    let selected = Mutex<[[String]]>([])
    let outcome = try run(plan, in: directory("s"), ranks: ranks) { event, _ in
      if case .selected(let kept, let dropped) = event {
        selected.withLock { $0 = [kept, dropped] }
      }
    }
    #expect(outcome == .finished)
    // The share would keep all three.
    #expect(selected.withLock { $0.map(\.count) } == [2, 1])
    #expect(selected.withLock { $0.last } == ["learningRate=16"])
    let results = try directory("s").results()
    #expect(results.map(\.rung) == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    let diverged = results.filter { $0.score == nil }
    #expect(diverged.map(\.variant) == ["learningRate=16", "learningRate=16"])
    #expect(diverged.map(\.seed) == [1, 2])
    #expect(diverged.allSatisfy { $0.diverged == true && $0.rung == 0 && $0.episodes > 0 })
    // The lines of other trials are as they were.
    let lines = try String(contentsOfFile: directory("s").trialsPath, encoding: .utf8)
      .split(separator: "\n")
    #expect(lines.count { $0.contains("diverged") } == 2)
    let log = directory("s").run(ofVariant: 1, of: plan, seed: 1).logPath
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains("diverged"))
    #expect(SweepReport(plan, results).trialsTotal == 10)
    // Nothing is left to do.
    #expect(try run(plan, in: directory("s"), ranks: ranks) == .finished)
    #expect(try directory("s").results() == results)
  }

  @Test func theRunsOfOtherRanksAreInADirectoryThatIsLockedAndThenRemoved() throws {
    try createDirectory(at: temporary + "/learn2048-sweep-left/runs")
    let seen = Mutex<[String]>([])
    let isLocked = Mutex(false)
    let outcome = try run(try plan(), in: directory("s"), ranks: 2) { [temporaryRoot] event, _ in
      guard case .running(_, _, 1, _, .some) = event else { return }
      seen.withLock { $0 = temporaryRoot.names }
      let path = temporaryRoot.file(temporaryRoot.names.last ?? "")
      do { _ = try DirectoryLock(run: path) } catch { isLocked.withLock { $0 = true } }
    }
    #expect(outcome == .finished)
    #expect(seen.withLock { $0.count } == 1)
    #expect(seen.withLock { $0.first?.hasSuffix("-left") } == false)
    #expect(isLocked.withLock { $0 })
    #expect(temporaryRoot.names == [])
  }

  @Test func aTrialThatFailsOnARankIsNamed() throws {
    let plan = try plan()
    // The run of the second trial, which rank 1 gets, is damaged.
    let run = directory("s").run(ofVariant: 1, of: plan, seed: 1)
    let sweep = try Sweep.start(plan, in: directory("s"), threads: 1)
    _ = consume sweep
    try createDirectory(at: run.path)
    try Data("{".utf8).write(to: URL(fileURLWithPath: run.configurationPath))
    try Data("[".utf8).write(to: URL(fileURLWithPath: run.path + "/checkpoints"))
    let error = #expect(throws: JobFailure.self) {
      _ = try self.run(plan, in: self.directory("s"), ranks: 2)
    }
    #expect(error?.error.path.hasPrefix("rank 1 on \(hostName): ") == true)
  }

  @Test func secondsOfTrainingEndATrial() throws {
    let text = """
      {"base": {"network": {"patterns": ["012"]}}, "seeds": 1, "budget": {"seconds": 0.1},
       "evaluation": {"games": 2}}
      """
    let plan = try SweepPlanReader.plan(Data(text.utf8), name: "plan", readFile: { _ in nil })
    let sweep = try Sweep.start(plan, in: directory("time"), threads: 1)
    _ = try sweep.run { _ in }
    let result = try #require(directory("time").results().first)
    #expect(result.seconds >= 0.1)
    #expect(result.moves > 0)
  }
}
