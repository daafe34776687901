import Basics
import Game2048
import Learning
import NTupleNetwork

/// How workers share weights.
public enum LearningMode: String, CaseIterable, Sendable {
  /// Without locks, each in its own time; an update that another overtakes is lost.
  case asynchronous
  /// In rounds of logical lanes, whose updates are applied together and in order: the result does
  /// not depend on threads.
  case synchronous
}

/// What divides the game into stages with separate weights.
public enum StageKind: String, CaseIterable, Sendable {
  /// Nothing: there is one stage.
  case none
  /// The largest tile on the board.
  case largestTile
}

/// What an afterstate's value is moved towards.
public enum ReturnKind: String, CaseIterable, Sendable {
  case oneStep, nStep, lambda, delayedLambda
}

/// Everything that decides a training run. `ConfigurationKey.all` says what each key means.
public struct TrainingConfiguration: Equatable, Sendable {
  public var description = ""
  /// The games of the run; unless they are set, as many as another limit allows, or 100,000.
  public var episodes: Int {
    get { givenEpisodes ?? (limitMoves > 0 || limitSeconds > 0 ? 0 : 100_000) }
    set { givenEpisodes = newValue }
  }
  private var givenEpisodes: Int?
  public var limitMoves = 0
  public var limitSeconds = 0.0
  public var seed = 1
  public var threads = 1
  public var randomSource = RandomSourceKind.xoshiro256

  public var boardSize = 4
  public var fourProbability = Rules.standardFourProbability

  public var patterns: [String] = []
  /// What divides the game into stages.
  public var stages = StageKind.none
  /// The tile from which on boards are read downgraded; 0 for none.
  public var downgradeTile = 0
  /// The tiles that divide stages.
  public var stageTiles: [Int] = []

  public var starts = StepSchedule(constant: StartRule.opening)
  public var restartShare = 0.5
  public var restartTile = 0
  public var shortestPath = 10
  /// The tiles whose first appearance is an entry of the carousel.
  public var carouselTiles = [2048, 4096, 8192, 16384]

  public var method = StepSchedule(constant: LearningMethod.td)
  /// The total learning rate; unless it is set, the one that the literature uses for the method.
  public var learningRate: StepSchedule<Double> {
    get { givenLearningRate ?? method.map { $0.rule.usualLearningRate } }
    set { givenLearningRate = newValue }
  }
  private var givenLearningRate: StepSchedule<Double>?
  /// The value of every afterstate at first, in points.
  public var initialValue = 0.0
  public var inheritEveryEpisodes = 0
  public var returns = ReturnKind.oneStep
  public var lambda = 0.5
  public var steps = 3
  public var horizon = 3
  public var batchSize = 256
  /// The moves that a batch or a round may have.
  public static let batchSizes = 1...65_536
  public var mode = LearningMode.asynchronous
  public var lanes = 8
  public var roundMoves = 256

  public var averagingEveryEpisodes = 0
  public var averagingFrom = 0.0
  public var averagingShare = 0.05
  public var averagingWindow = 1_000_000

  public var mergeTimeShare = 0.04
  public var mergeEveryMoves = 0
  public var mergeEverySeconds = 0.0

  public var reportEveryEpisodes = 1_000
  public var checkpointEveryEpisodes = 0
  public var checkpointEverySeconds = 300.0
  public var checkpointKeep = 3
  public var evaluationFirstEpisodes = 0
  public var evaluationEveryEpisodes = 0
  public var evaluationEverySeconds = 0.0
  public var evaluationGames = 200

  public init() {}

  /// The rules of the configured game.
  public var rules: Rules { Rules(size: boardSize, fourProbability: fourProbability) }

  /// Where the run ends.
  public var length: RunLength {
    RunLength(episodes: episodes, moves: limitMoves, seconds: limitSeconds)
  }

  /// The method in the literature's terms, as `TC(λ 0.5)`.
  public var methodText: String {
    let names = method.steps.map { $0.value.rawValue.uppercased() }.joined(separator: " then ")
    return switch returns {
    case .oneStep: "\(names)(0)"
    case .nStep: "\(names)(\(steps)-step)"
    case .lambda: "\(names)(λ \(lambda))"
    case .delayedLambda: "\(names)(λ \(lambda), delayed by \(horizon))"
    }
  }

  /// What values are moved towards.
  public var returnEstimate: ReturnEstimate {
    switch returns {
    case .oneStep: .oneStep
    case .nStep: .nStep(steps)
    case .lambda: .lambda(Float(lambda))
    case .delayedLambda: .delayedLambda(Float(lambda), horizon: horizon)
    }
  }

  /// The update rules of all parts of the run.
  public var methods: Set<LearningMethod> { Set(method.steps.map(\.value)) }

  /// The structure of the configured network.
  ///
  /// - Throws: `Pattern.ParsingError`; never for a configuration that has been validated.
  public func networkShape() throws -> NetworkShape {
    NetworkShape(
      patterns: try patterns.map { try Pattern($0, boardSize: boardSize) }, boardSize: boardSize,
      stages: stageRule ?? .single,
      downgrading: downgradeTile == 0
        ? .none : Downgrading(from: downgradeTile.trailingZeroBitCount))
  }

  /// The stages of the network; nil if the tiles are none that can divide it.
  package var stageRule: StageRule? {
    switch stages {
    case .none: stageTiles.isEmpty ? .single : nil
    case .largestTile: StageRule(checking: stageTiles.map { $0.trailingZeroBitCount })
    }
  }

  /// What the episodes of the run need to know of their starts.
  package var startSettings: StartSettings {
    StartSettings(
      restartShare: restartShare, shortestPath: shortestPath,
      restartExponent: restartTile == 0 ? 0 : restartTile.trailingZeroBitCount,
      carouselExponents: carouselTiles.map { $0.trailingZeroBitCount })
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

extension TrainingConfiguration {
  /// The text of a board in a saved state, in bytes.
  private static let boardText = 24
  /// The boards of the longest game that may be under way at a barrier.
  private static let longestPath = 40_000
  /// What a state may take for boards, in bytes: most of the largest header that readers take.
  private static let mostText = 90_000_000

  /// Returns what keeps episodes from starting as the configuration says.
  ///
  /// - Parameter ranks: The number of processes of the job, each with as many workers.
  package func problemsOfStarts(ranks: Int = 1) -> [String] {
    let rules = Set(starts.steps.map(\.value))
    var problems: [String] = []
    if rules.contains(.carousel), carouselTiles.isEmpty {
      problems.append(
        "starts.rule = carousel needs starts.carouselTiles, on whose appearance it starts")
    }
    // Every worker keeps boards, and the lanes of rounds those of their games under way too.
    let isSynchronous = mode == .synchronous
    var boards = rules.contains(.carousel) ? carouselTiles.count * StartSettings.ringCapacity : 0
    if isSynchronous, rules != [.opening] { boards += TrainingConfiguration.longestPath }
    let most = TrainingConfiguration.mostText / max(1, boards * TrainingConfiguration.boardText)
    let (key, count) = isSynchronous ? ("learning.lanes", lanes) : ("threads", threads)
    if (isSynchronous ? count : count * ranks) > most {
      problems.append(
        "\(key) = \(count)\(ranks > 1 ? " on each of \(ranks) ranks" : ""): with these starts, at most \(NumberText.grouped(most)) keep boards that a "
          + "saved state has room for")
    }
    return problems
  }

  /// The moves that each lane plays in a round: its share of them.
  package var movesPerLane: Int { roundMoves / lanes }

  /// The threads that find something to do on so many patterns.
  public func threadsAtWork(patterns: Int) -> Int {
    mode == .synchronous ? min(threads, max(lanes, patterns)) : threads
  }

  /// What keeps the configuration from being learned from in rounds.
  var problemsOfRounds: [String] {
    guard mode == .synchronous else { return [] }
    var problems: [String] = []
    if roundMoves % lanes != 0 {
      problems.append(
        "learning.roundMoves = \(roundMoves) cannot be shared by learning.lanes = \(lanes): make it a "
          + "multiple of them")
    }
    if limitSeconds > 0 {
      problems.append(
        "learning.mode = synchronous and limit.seconds do not go together: schedules would follow the "
          + "clock, which is to decide nothing; use limit.moves or episodes")
    }
    if stages != .none, patterns.contains(where: { $0.count > 7 }) {
      problems.append(
        "learning.mode = synchronous and network.stages do not go together with patterns of 8 cells: "
          + "their entries cannot be told apart by 32 bits")
    }
    return problems
  }
}
