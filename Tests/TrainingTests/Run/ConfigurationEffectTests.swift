import Logging
import Play
import TestSupport
import Testing

@testable import ModelFiles
@testable import Training

/// Every configuration key of learning changes the weights.
@Suite struct ConfigurationEffectTests {
  /// A key with a value other than that of `settings`, with which it matters.
  struct Case: Sendable, CustomTestStringConvertible {
    let key: String
    let value: String
    let settings: [String]
    /// Settings that the value requires.
    let requirement: [String]

    init(
      _ key: String, _ value: String, requiring requirement: String..., with settings: String...
    ) {
      self.key = key
      self.value = value
      self.settings = settings
      self.requirement = requirement
    }

    var testDescription: String { "\(key)=\(value)" }
  }

  static let cases = [
    Case("seed", "2"),
    Case("randomSource", "arc4"),
    Case("game.boardSize", "3"),
    Case("game.fourProbability", "0.5"),
    Case("network.patterns", #"["0123", "1256"]"#),
    Case("network.stages", "largestTile", requiring: "network.stageTiles=[32]"),
    Case(
      "network.stageTiles", "[64]", with: "network.stages=largestTile", "network.stageTiles=[32]"),
    // Only 4s are spawned, so games soon reach 1024.
    Case("network.downgradeTile", "1024", with: "game.fourProbability=1", "episodes=500"),
    Case("starts.rule", "restart"),
    Case("starts.restartShare", "0.25", with: "starts.rule=restart"),
    Case("starts.shortestPath", "100", with: "starts.rule=restart"),
    Case("starts.restartTile", "128", with: "starts.rule=restart"),
    Case("starts.carouselTiles", "[32, 64]", with: "starts.rule=carousel"),
    Case("learning.method", "tc", with: "learning.learningRate=0.25"),
    Case("learning.learningRate", "0.3"),
    Case("learning.initialValue", "1000"),
    Case("learning.inheritEveryEpisodes", "20", with: "learning.method=tc"),
    Case("learning.returns", "lambda"),
    Case("learning.lambda", "0.75", with: "learning.returns=lambda"),
    Case("learning.steps", "5", with: "learning.returns=nStep"),
    Case("learning.horizon", "1", with: "learning.returns=delayedLambda"),
    Case("learning.batchSize", "16"),
    Case("learning.mode", "synchronous"),
    Case("learning.lanes", "4", with: "learning.mode=synchronous"),
    Case("learning.roundMoves", "64", with: "learning.mode=synchronous"),
    Case("averaging.everyEpisodes", "20", with: "averaging.share=1"),
    Case("averaging.from", "0.5", with: "averaging.everyEpisodes=20", "averaging.share=1"),
    Case("averaging.share", "1", with: "averaging.everyEpisodes=20"),
    Case("averaging.window", "2", with: "averaging.everyEpisodes=20", "averaging.share=1"),
  ]

  @Test func everyKeyOfLearningIsHere() {
    let keys = ConfigurationKey.all.filter { !$0.mayChangeOnResume }.map(\.path)
    let tested = ConfigurationEffectTests.cases.map(\.key)
    #expect(Set(keys) == Set(tested))
  }

  @Test(arguments: cases)
  func theKeyChangesWhatIsLearned(_ test: Case) throws {
    let root = try TemporaryDirectory()
    let without = try checksum(
      test.settings, in: RunDirectory(path: root.file("without")))
    let with = try checksum(
      test.settings + test.requirement + ["\(test.key)=\(test.value)"],
      in: RunDirectory(path: root.file("with")))
    #expect(with != without)
  }

  private static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Returns the checksum of the weights of a small run with these settings.
  private func checksum(_ settings: [String], in directory: RunDirectory) throws -> String {
    var reader = ConfigurationReader()
    for setting in [#"network.patterns=["0145", "012"]"#, "episodes=200"] + settings {
      reader.set(setting)
    }
    let run = try TrainingRun.start(in: directory, configuration: reader.finished())
    _ = try run.train(
      logger: ConfigurationEffectTests.silent, evaluate: GreedyEvaluation.play
    ) { _ in }
    return try #require(
      try WeightFile.verify(directory.checkpoints.checkpoint(.latest).path).checksum)
  }
}
