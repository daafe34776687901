import Configuration
import Game2048
import NTupleNetwork
import RandomSources
import TDLearning

/// What one episode came to.
public struct EpisodeResult: Codable, Equatable, Sendable {
  /// Points.
  public var score: Int
  /// Moves made.
  public var moves: Int
  /// The exponent of the largest tile at the end.
  public var largestExponent: Int
  /// Whether it was a whole game, from the start position.
  public var isWholeGame = true

  /// Whether an episode can end like this.
  var isValid: Bool {
    (0..<1 << 40).contains(score) && (0..<1 << 40).contains(moves)
      && (0..<32).contains(largestExponent)
  }
}

/// What is decided of an episode beforehand.
struct EpisodePlan {
  var stepSize: StepSize
  var start: StartRule
}

/// Plays the game against itself on a shared network, and learns from every move.
struct SelfPlayWorker<Source: RandomSource> {
  private let network: NTupleNetwork
  private let rules: Rules
  private var learner: EpisodeLearner
  /// Decides where episodes start.
  private(set) var starts: EpisodeStarts
  /// Decides the spawns.
  private(set) var source: Source

  /// A worker that plays on `network` and has `learner` update it.
  init(
    network: NTupleNetwork, rules: Rules, learner: EpisodeLearner, starts: EpisodeStarts,
    source: Source
  ) {
    self.network = network
    self.rules = rules
    self.learner = learner
    self.starts = starts
    self.source = source
  }

  /// Plays one episode greedily, learning as it goes.
  mutating func playEpisode(_ plan: EpisodePlan) -> EpisodeResult {
    // In registers while the episode lasts: what is written every move must not share a cache line
    // with what another worker writes.
    var source = source
    defer { self.source = source }
    learner.stepSize = plan.stepSize
    let start = starts.begin(plan.start)
    let recordsPath = starts.recordsPath
    var board = start ?? rules.startBoard(using: &source)
    var score = 0
    var moves = 0
    while let move = network.greedyMove(from: board, rules: rules) {
      score += Int(move.reward)
      moves += 1
      learner.observe(move)
      if recordsPath { starts.observe(board) }
      board = move.afterstate
      rules.spawn(on: &board, using: &source)
    }
    learner.finishEpisode()
    starts.finish()
    return EpisodeResult(
      score: score, moves: moves, largestExponent: board.largestTileExponent,
      isWholeGame: start == nil)
  }
}
