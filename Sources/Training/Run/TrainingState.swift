import Configuration
import SelfPlay

/// Everything besides the weights that a resumed run needs to go on as if it had not stopped.
public struct TrainingState: Codable, Equatable, Sendable {
  /// Episodes and moves finished.
  public var episodes = 0
  public var moves = 0
  /// Seconds spent, over all sessions.
  public var wallSeconds = 0.0
  /// Of them, seconds spent training; nil in states of versions that did not count them.
  public var trainingSeconds: Double?
  /// Seconds spent training since the last report, for its moves per second.
  public var trainingSecondsSinceReport = 0.0
  /// The episodes since the last report.
  public var sinceReport = EpisodeStatistics()
  /// The players.
  var selfPlay = SelfPlayState()
  /// How many networks the running average has taken in.
  public var averaged = 0
  /// The best evaluation so far.
  public var best: Best?
  /// Whether a stop came when an evaluation was due, or into one: it is then played before anything else.
  public var isEvaluationPending: Bool?
  /// Seconds since the last evaluation, or the beginning, where evaluations go by time.
  public var secondsSinceEvaluation: Double?

  /// The state of a run that has not begun.
  public init() {}

  /// Whether a run with this configuration can be in this state.
  func fits(_ configuration: TrainingConfiguration) -> Bool {
    isValid && (selfPlay.fits(configuration) || episodes == 0 && selfPlay == SelfPlayState())
  }

  private var isValid: Bool {
    [episodes, moves, averaged].allSatisfy { (0..<1 << 62).contains($0) } && sinceReport.isValid
      && [
        wallSeconds, secondsOfTraining, trainingSecondsSinceReport, secondsSinceEvaluation ?? 0,
      ].allSatisfy {
        (0..<1e12).contains($0)
      }
  }

  /// Seconds spent training, or what comes nearest to it in states that do not say.
  var secondsOfTraining: Double { trainingSeconds ?? wallSeconds }

  /// An evaluation that no other of the run has passed.
  public struct Best: Codable, Equatable, Sendable {
    public var episodes: Int
    public var meanScore: Double
  }
}

extension TrainingState {
  /// The keys under which versions up to 0.1.0 saved the players of asynchronous mode, and the lanes.
  private enum FormerKey: String, CodingKey {
    case workers, round
  }

  private struct FormerRound: Codable {
    var lanes: [PlayerState]
    var uncounted: [EpisodeResult]
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    episodes = try fields.decode(Int.self, forKey: .episodes)
    moves = try fields.decode(Int.self, forKey: .moves)
    wallSeconds = try fields.decode(Double.self, forKey: .wallSeconds)
    trainingSeconds = try fields.decodeIfPresent(Double.self, forKey: .trainingSeconds)
    trainingSecondsSinceReport = try fields.decode(Double.self, forKey: .trainingSecondsSinceReport)
    sinceReport = try fields.decode(EpisodeStatistics.self, forKey: .sinceReport)
    averaged = try fields.decode(Int.self, forKey: .averaged)
    best = try fields.decodeIfPresent(Best.self, forKey: .best)
    isEvaluationPending = try fields.decodeIfPresent(Bool.self, forKey: .isEvaluationPending)
    secondsSinceEvaluation = try fields.decodeIfPresent(Double.self, forKey: .secondsSinceEvaluation)
    if let players = try fields.decodeIfPresent(SelfPlayState.self, forKey: .selfPlay) {
      selfPlay = players
      return
    }
    let former = try decoder.container(keyedBy: FormerKey.self)
    if let round = try former.decodeIfPresent(FormerRound.self, forKey: .round) {
      selfPlay.players = round.lanes
      selfPlay.uncounted = round.uncounted
    } else {
      selfPlay.players = try former.decode([PlayerState].self, forKey: .workers)
    }
  }
}
