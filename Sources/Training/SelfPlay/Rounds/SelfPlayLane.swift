import Game2048
import NTupleNetwork
import RandomSources
import TDLearning

/// A logical player of synchronous learning: a random source, a game in progress, and what is being
/// learned from it. Which thread plays a round of it does not matter.
struct SelfPlayLane<Source: RandomSource> {
  private let network: NTupleNetwork
  private let rules: Rules
  private var learner: RoundLearner
  private var source: Source
  private var board: Board
  private var score: Int
  private var moves: Int

  /// A lane that begins its first episode.
  init(network: NTupleNetwork, rules: Rules, learner: RoundLearner, source: Source) {
    self.network = network
    self.rules = rules
    self.learner = learner
    self.source = source
    board = rules.startBoard(using: &self.source)
    score = 0
    moves = 0
  }

  /// The blocks of the last round, table by table.
  var deltas: [TableDelta] { learner.deltas }

  /// Plays `count` moves greedily on the weights as they are, and makes the blocks of what they teach.
  ///
  /// Where an episode ends, the next begins. Its end is noticed when a move is asked for.
  ///
  /// - Parameter onEpisode: called with every episode that ended.
  mutating func playRound(
    moves count: Int, using scratch: DeltaScratch, onEpisode: (EpisodeResult) -> Void
  ) {
    // In registers while the round lasts.
    var (source, board, score, moves) = (source, board, score, moves)
    var remaining = count
    while remaining > 0 {
      guard let move = network.greedyMove(from: board, rules: rules) else {
        learner.finishEpisode()
        onEpisode(
          EpisodeResult(score: score, moves: moves, largestExponent: board.largestTileExponent))
        board = rules.startBoard(using: &source)
        (score, moves) = (0, 0)
        continue
      }
      score += Int(move.reward)
      moves += 1
      remaining -= 1
      learner.observe(move)
      board = move.afterstate
      rules.spawn(on: &board, using: &source)
    }
    (self.source, self.board, self.score, self.moves) = (source, board, score, moves)
    learner.finishRound(using: scratch)
  }

  /// The lane between rounds.
  var state: LaneState {
    LaneState(
      source: source.state, planes: board.planes, highPlane: board.highPlane, score: score,
      moves: moves, waiting: learner.waiting)
  }

  /// Goes on from a saved state.
  ///
  /// - Precondition: the state was saved of a lane with the same configuration.
  mutating func restore(_ state: LaneState) {
    if let source = Source(state: state.source) { self.source = source }
    board = state.board
    score = state.score
    moves = state.moves
    learner.waiting = state.waiting
  }
}
