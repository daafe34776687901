import Foundation
import Testing

/// Tests that read and resume the files in `Tests/Fixtures`, which earlier versions wrote.
///
/// The expected values are those of the version that wrote the file.
@Suite("files of earlier versions")
struct CompatibilityTests {
  private static let fixtures = Workspace.repository.appendingPathComponent("Tests/Fixtures")
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  /// Copies a fixture to a path in the workspace.
  private func copy(_ fixture: String, to name: String) throws {
    let target = URL(fileURLWithPath: workspace.path(name))
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: CompatibilityTests.fixtures.appendingPathComponent(fixture), to: target)
  }

  // MARK: Runs

  // Promise: A resumed run ends in the same weights
  @Test("a resumed run learns and reports what it did", arguments: ResumedRun.all)
  func resuming(run: ResumedRun) throws {
    try copy("Runs/\(run.name)", to: "Models/\(run.name)")
    let saved = try #require(try workspace.inspect(run.name)["run"]["episodes"].integer)
    #expect(saved == run.saved)
    let before = try workspace.reports(run.name).filter { ($0["episodes"].integer ?? 0) <= saved }
    #expect(!before.isEmpty)

    let outcome = try workspace.run(
      ["train", "--resume", run.name, "--episodes", "\(run.total)"] + run.options)
    try #require(outcome.code == 0, "\(outcome)")
    #expect(try workspace.checksum("\(run.name)@latest") == run.checksum)
    let reports = try workspace.reports(run.name)
    #expect(Array(reports.prefix(before.count)) == before, "reports up to the state stay")
    #expect(reports.dropFirst(before.count).map { ResumedRun.Report($0) } == run.reports)
  }

  /// With λ = 0.6 the sums of OpenBLAS depend on the processor.
  @Test("a run of plain loops is resumed with OpenBLAS")
  func plainLoops() throws {
    try copy("Runs/synchronous-carousel", to: "Models/synchronous-carousel")
    let before = try workspace.reports("synchronous-carousel")
    try workspace.resume("synchronous-carousel", "--episodes", "320", "--threads", "2")
    let reports = try workspace.reports("synchronous-carousel")
    #expect(Array(reports.prefix(before.count)) == before)
    #expect(reports.dropFirst(before.count).map { $0["episodes"].integer } == [270, 320])
    let model = try workspace.inspect("synchronous-carousel@latest")
    #expect(model["episodes"].integer == 320)
    #expect(model["history"].array.map { $0["episodes"].integer } == [200, 120])
  }

  @Test(
    "a run with a removed setting names the last commit that resumes it",
    arguments: [
      ("asynchronous-tc", "learning.coherenceWindow = 5000"),
      ("synchronous-restart", "network.stages = \"tileSet\""),
    ])
  func removedSettings(run: String, setting: String) throws {
    try copy("Runs/\(run)", to: "Models/\(run)")
    let error = "\(setting) has been removed. Use commit 6b27004, the last one that reads it."
    let outcome = try workspace.run("train", "--resume", run)
    #expect(outcome.code == 78 && outcome.errors.contains(error), "\(outcome)")
  }

  @Test("a checkpoint of a removed setting is not resumed as if it had not been set")
  func removedSettingOfCheckpoint() throws {
    let configuration = "Models/asynchronous-tc/config.json"
    try copy("Runs/asynchronous-tc", to: "Models/asynchronous-tc")
    let text = try workspace.text(configuration)
    try workspace.write(
      text.replacing("\"coherenceWindow\" : 5000", with: "\"coherenceWindow\" : 0"), configuration)
    let outcome = try workspace.run("train", "--resume", "asynchronous-tc", "--episodes", "7600")
    let error = "the checkpoint was trained with learning.coherenceWindow = 5000, which"
    #expect(outcome.code == 78 && outcome.errors.contains(error), "\(outcome)")
    try workspace.resume("asynchronous-tc", "--episodes", "7600", "--accept-config")
  }

  @Test(
    "a weight file with stages by sets of tiles names the last commit that reads it",
    arguments: ["staged-downgraded.safetensors", "staged-downgraded.compact"])
  func removedStages(file: String) throws {
    try copy("Weights/\(file)", to: file)
    let outcome = try workspace.run("inspect", "./\(file)")
    let error = "Use commit 6b27004, the last one that reads it."
    #expect(outcome.code == 65 && outcome.errors.contains(error), "\(outcome)")
  }

  @Test("the best checkpoint is told from the latest, and stays the best")
  func best() throws {
    func expectBest() throws {
      let best = try workspace.inspect("evaluated")
      #expect(best["episodes"].integer == 200)
      #expect(best["run"]["bestMeanScore"].number == 3054.4)
    }
    try copy("Runs/evaluated", to: "Models/evaluated")
    try expectBest()
    #expect(try workspace.inspect("evaluated@latest")["episodes"].integer == 400)

    try workspace.resume(
      "evaluated", "--episodes", "500", "--threads", "1", "--set", "evaluation.games=10")
    try expectBest()
    #expect(
      workspace.names(in: "Models/evaluated/checkpoints") == [
        "best.json", "episodes-000000200.safetensors", "episodes-000000500.safetensors",
        "state.safetensors",
      ])
  }

  @Test("a run of two threads is resumed with two")
  func twoThreads() throws {
    try copy("Runs/evaluated", to: "Models/evaluated")
    try workspace.resume(
      "evaluated", "--episodes", "450", "--threads", "2", "--set", "evaluation.games=10")
    let latest = try workspace.inspect("evaluated@latest")
    #expect(latest["history"].array.map { $0["episodes"].integer } == [300, 100, 50])
    // The pending evaluation is of the weights as they were saved.
    let report = try workspace.reports("evaluated").first { $0["episodes"].integer == 400 }
    #expect(report?["evaluation"]["meanScore"].number == 2382.8)
  }

  @Test("the temporaries of a save that was killed are removed")
  func temporaries() throws {
    let checkpoints = "Models/asynchronous-stages/checkpoints"
    try copy("Runs/asynchronous-stages", to: "Models/asynchronous-stages")
    try workspace.write("half", "\(checkpoints)/.state.safetensors.tmp-4711-1")
    try workspace.resume("asynchronous-stages", "--episodes", "7600")
    #expect(
      workspace.names(in: checkpoints) == ["episodes-000007600.safetensors", "state.safetensors"])
  }

  // MARK: Sweeps

  @Test("a resumed sweep keeps its trials and carries out the others")
  func sweep() throws {
    func seconds() throws -> [Double?] {
      try workspace.text("Models/rates/trials.jsonl").split(separator: "\n")
        .map { try JSON($0)["seconds"].number }
    }
    try copy("Sweeps/rates", to: "Models/rates")
    let secondsBefore = try seconds()
    #expect(secondsBefore.count == 4)

    let outcome = try workspace.run("sweep", "--resume", "rates", "--threads", "2", "--json")
    try #require(outcome.code == 0, "\(outcome)")
    let rows = try JSON(outcome.output)["rows"].array
    #expect(
      rows.map { $0["variant"].string } == [
        "learningRate=0.1", "learningRate=0.02", "learningRate=0.5",
        "learningRate=0.1", "learningRate=0.02",
      ])
    #expect(rows.map { $0["isLast"].bool } == [false, false, true, true, true])
    #expect(
      rows.map { $0["scores"].array.map(\.number) } == [
        [5079.2, 4467.2], [6045.6, 5400], [1231.2, 1907.2], [5839.2, 4921.6], [5903.2, 4261.6],
      ])
    #expect(
      rows.map { $0["moves"].number } == [
        1_218_210.5, 1_247_602, 530_354.5, 2_596_051.5, 2_658_760,
      ])
    let secondsAfter = try seconds()
    #expect(secondsAfter.count == 10)
    #expect(Array(secondsAfter.prefix(4)) == secondsBefore, "a trial that is done is not repeated")
  }

  // MARK: Weight files

  @Test(
    "a weight file gives boards the same values",
    arguments: [
      (
        "stages-downgraded.safetensors", "1123000000000000",
        [nil, 9836.044921875, 9882.1474609375, 9836.55859375]
      ),
      (
        "stages-downgraded.safetensors", "A860753142310200",
        [5197.3037109375, 4538.443359375, 4877.6015625, 4600.419921875]
      ),
      (
        "stages-downgraded.compact", "1123000000000000",
        [nil, 9835.748046875, 9881.74609375, 9836.2890625]
      ),
      (
        "stages-downgraded.compact", "A860753142310200",
        [5196.33837890625, 4538.896484375, 4878.6982421875, 4601.9560546875]
      ),
      (
        "asynchronous-td.w", "1123000000000000",
        [nil, 8639.0517578125, 8794.234375, 8731.4404296875]
      ),
      (
        "asynchronous-td.w", "A860753142310200",
        [5645.44287109375, 4966.7109375, 5106.9072265625, 4872.400390625]
      ),
      (
        "three-by-three.safetensors", "1230210011000000",
        [884.400146484375, 884.400146484375, 895.9608154296875, 837.37353515625]
      ),
      (
        "three-by-three.safetensors", "8760543021000000",
        [nil, 76.00440979003906, nil, 196.7442626953125]
      ),
    ] as [(String, String, [Double?])])
  func values(file: String, board: String, values: [Double?]) throws {
    try copy("Weights/\(file)", to: file)
    let outcome = try workspace.run(
      "analyze", "--board", board, "--model", "./\(file)", "--depth", "1", "--json")
    try #require(outcome.code == 0, "\(outcome)")
    #expect(try JSON(outcome.output)["moves"].array.map { $0["value"].number } == values)
  }

  @Test(
    "every weight of a file is read as it was",
    arguments: [
      (
        "stages-downgraded.safetensors",
        "sha256:77004e9b3cecdb2a7ad87078f36ae450dee002e22c6c62d677ffb4673663c8b8"
      ),
      (
        "stages-downgraded.compact",
        "sha256:b0351d2d96e17a6ed45a4b4f4fb1f959d35a78cbf8363f19e11a01a8f38e4f39"
      ),
      (
        "asynchronous-td.w",
        "sha256:c6be8036b1d2c912d5cab816cd33e5a22d11dd8edd34203d9e9ff9713148d109"
      ),
      (
        "three-by-three.safetensors",
        "sha256:f4f4491a55c2d0d216638a4d0a522abe9d715d1642f401a2556bf82b83886964"
      ),
    ])
  func weights(file: String, checksum: String) throws {
    try copy("Weights/\(file)", to: file)
    let outcome = try workspace.run("convert", "./\(file)", "out.safetensors")
    try #require(outcome.code == 0, "\(outcome)")
    #expect(try workspace.checksum("./out.safetensors") == checksum)
  }

  @Test(
    "a weight file states its network and its training",
    arguments: ["stages-downgraded.safetensors", "stages-downgraded.compact"])
  func metadata(file: String) throws {
    try copy("Weights/\(file)", to: file)
    let model = try workspace.inspect("./\(file)")
    #expect(model["patterns"].array.map(\.string) == ["01", "51", "65"])
    #expect(model["stages"]["rule"].string == "largestTile")
    #expect(model["stages"]["tiles"].array.map(\.integer) == [256, 512])
    #expect(model["downgradeTile"].integer == 1024)
    #expect(model["episodes"].integer == 4_000 && model["moves"].integer == 2_330_393)
    #expect(model["history"][0]["seed"].integer == 16)
    #expect(model["config"]["learning"]["method"].string == "tc")
    #expect(model["kept"].integer == (file.hasSuffix(".compact") ? 783 : nil))
  }

  // MARK: Recorded games

  @Test(
    "a recorded game is replayed to its end",
    arguments: [
      ("games-4x4", "random", 1, 157, "1520", "1312254573622531"),
      ("games-4x4", "heuristic:depth=1", 1, 180, "1776", "2671145623451234"),
      ("games-4x4", "random", 2, 126, "1156", "1321353247152431"),
      ("games-4x4", "heuristic:depth=1", 2, 242, "2984", "8121731221351621"),
      (
        "games-3x3", "learned:model=./three-by-three.safetensors,depth=1", 1, 99, "1172",
        "2750134061200000"
      ),
      (
        "games-3x3", "learned:model=./three-by-three.safetensors,depth=1", 2, 106, "1200",
        "4210756012300000"
      ),
    ] as [(String, String, Int, Int, String, String)])
  func recordedGame(
    file: String, player: String, game: Int, moves: Int, score: String, board: String
  ) throws {
    try copy("Records/\(file)", to: file)
    let outcome = try workspace.run("replay", file, "--game", "\(game)", "--player", player)
    try #require(outcome.code == 0, "\(outcome)")
    let lines = outcome.lines.filter { $0.contains(#/^\d+ (up|down|left|right) \+\d+ /#) }
    #expect(lines.count == moves)
    let last = try #require(lines.last).split(separator: " ").suffix(2).map(String.init)
    #expect(last == [score, board])
  }
}

/// A run in the fixtures, and the result of resuming it.
struct ResumedRun: Sendable, CustomTestStringConvertible {
  /// The results of some episodes, without what the clock says.
  struct Report: Equatable, Sendable {
    let episodes: Int?
    let moves: Int?
    let meanScore: Double?
    let maxScore: Int?
    /// The mean score of the evaluation; nil if there is none.
    var evaluation: Double? = nil
  }

  let name: String
  /// The episodes of the saved state.
  let saved: Int
  /// The episodes to which it is resumed.
  let total: Int
  let options: [String]
  /// The checksum of the last weights.
  let checksum: String
  /// The reports after the saved state.
  let reports: [Report]

  var testDescription: String { name }
}

extension ResumedRun.Report {
  /// What a line of `metrics.jsonl` says.
  init(_ line: JSON) {
    self.init(
      episodes: line["episodes"].integer, moves: line["moves"].integer,
      meanScore: line["meanScore"].number, maxScore: line["maxScore"].integer,
      evaluation: line["evaluation"]["meanScore"].number)
  }
}

extension ResumedRun {
  /// All runs in the fixtures; synchronous ones are resumed with another number of threads.
  static let all = [
    ResumedRun(
      name: "asynchronous-td", saved: 200, total: 300, options: [],
      checksum: "sha256:faf7d276c9a0995048b089338b3392769872c847d32b4824e93c127b59dcfe50",
      reports: [
        Report(episodes: 210, moves: 111_532, meanScore: 14528.4, maxScore: 22_232),
        Report(episodes: 280, moves: 159_814, meanScore: 11362.57142857143, maxScore: 35_072),
        Report(episodes: 300, moves: 175_111, meanScore: 12645, maxScore: 30_368),
      ]),
    ResumedRun(
      name: "asynchronous-stages", saved: 7_500, total: 8_000, options: [],
      // The snapshot of an average that has the bits of that version, as have the weights that learn.
      checksum: "sha256:e7feddff052c71832b202df6fd4900a64a9899a083f1a32846f9d413f0786a39",
      reports: [
        Report(episodes: 8_000, moves: 1_702_887, meanScore: 12918.645161290322, maxScore: 32_308)
      ]),
    ResumedRun(
      name: "synchronous-delayed", saved: 200, total: 320, options: ["--threads", "2"],
      checksum: "sha256:61ab8841e040dc2ae582278d7c991bde4a39cfc24d8605e628a783314eafa723",
      reports: [
        Report(episodes: 270, moves: 30_126, meanScore: 1483.5, maxScore: 2_964),
        Report(episodes: 320, moves: 35_037, meanScore: 1553.8823529411766, maxScore: 2_864),
      ]),
    ResumedRun(
      name: "synchronous-stages", saved: 1_664, total: 1_900, options: ["--threads", "2"],
      checksum: "sha256:ff2763914d3d5266c7461006fb6c55b687fb9ace563724cd2f7060158fb304f4",
      reports: [
        Report(episodes: 1_900, moves: 284_995, meanScore: 5764.421052631579, maxScore: 16_516)
      ]),
    ResumedRun(
      name: "evaluated", saved: 400, total: 500,
      options: ["--threads", "1", "--set", "evaluation.games=10"],
      checksum: "sha256:50358affd46f760ea48edb29c9d99d66bef96b0901c1724471c332f594a7df53",
      reports: [
        Report(
          episodes: 400, moves: 91_026, meanScore: 3039.28, maxScore: 6_600, evaluation: 2382.8),
        Report(episodes: 450, moves: 102_792, meanScore: 2836.88, maxScore: 6_780),
        Report(
          episodes: 500, moves: 114_363, meanScore: 2749.2, maxScore: 6_656, evaluation: 2265.2),
      ]),
  ]
}
