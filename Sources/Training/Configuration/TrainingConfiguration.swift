import Game2048
import NTupleNetwork
import RandomSources

/// How the update of a minibatch is carried out.
public enum UpdatePath: String, CaseIterable, Sendable {
  /// Gathered into a matrix and computed by OpenBLAS.
  case blas
  /// Fused and in place, in plain Swift.
  case plain
}

/// What is learned.
public enum LearningMethod: String, CaseIterable, Sendable {
  /// TD(0) on afterstates.
  case td0
}

/// Everything that decides a training run. ``ConfigurationKey/all`` says what each key means.
public struct TrainingConfiguration: Equatable, Sendable {
  public var description = ""
  public var episodes = 100_000
  public var seed = 1
  public var threads = 1
  public var randomSource = RandomSourceKind.xoshiro256

  public var boardSize = 4
  public var fourProbability = Rules.standardFourProbability

  public var patterns: [String] = []

  public var method = LearningMethod.td0
  public var learningRate = LearningRateSchedule(constant: 0.1)
  public var batchSize = 256
  public var updatePath = UpdatePath.blas

  public var reportEveryEpisodes = 1_000
  public var checkpointEveryEpisodes = 0
  public var checkpointEverySeconds = 300.0
  public var checkpointKeep = 3
  public var evaluationEveryEpisodes = 0
  public var evaluationEverySeconds = 0.0
  public var evaluationGames = 200

  public init() {}

  /// The rules of the configured game.
  public var rules: Rules { Rules(size: boardSize, fourProbability: fourProbability) }

  /// The structure of the configured network.
  ///
  /// - Throws: ``Pattern/ParsingError``; never for a configuration that has been validated.
  public func networkShape() throws -> NetworkShape {
    NetworkShape(
      patterns: try patterns.map { try Pattern($0, boardSize: boardSize) }, boardSize: boardSize)
  }
}

/// The pattern sets that the literature names.
public enum NamedPatternSet {
  /// Cell strings by name.
  public static let all: [String: [String]] = [
    "4x6": ["012345", "456789", "012456", "45689a"],
    "5x6": ["012345", "456789", "012456", "45689a", "89abcd"],
    "6x6": ["012456", "456789", "012345", "234569", "01259a", "345678"],
    "7x6": ["012456", "456789", "012345", "234569", "01259a", "345678", "134567"],
    "8x6": ["012456", "456789", "012345", "234569", "01259a", "345678", "134567", "01489a"],
    "2x7": ["0123456", "456789a"],
    "3x7": ["0123456", "456789a", "89abcde"],
    "4x5": ["01234", "45678", "01245", "45689"],
    "2x4": ["0123", "4567"],
    "5x4": ["0123", "4567", "0145", "1256", "569a"],
  ]
}
