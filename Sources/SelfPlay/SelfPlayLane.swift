import Configuration
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
  private var starts: EpisodeStarts
  private var source: Source
  /// The board, the player to move; empty before the first episode.
  private var board = Board()
  private var score = 0
  private var moves = 0
  private var isWholeGame = true

  /// A lane that has not begun its first episode.
  init(
    network: NTupleNetwork, rules: Rules, learner: RoundLearner, starts: EpisodeStarts,
    source: Source
  ) {
    self.network = network
    self.rules = rules
    self.learner = learner
    self.starts = starts
    self.source = source
  }

  /// The blocks of the last round, pattern by pattern.
  var deltas: [PatternDelta] { learner.deltas }

  /// Plays `count` moves greedily on the weights as they are, and makes the blocks of what they teach.
  ///
  /// Where an episode ends, the next begins. Its end is noticed when a move is asked for.
  ///
  /// - Parameters:
  ///   - start: where episodes start.
  ///   - onEpisode: called with every episode that ended.
  mutating func playRound(
    moves count: Int, start: StartRule, using scratch: DeltaScratch,
    onEpisode: (EpisodeResult) -> Void
  ) {
    if board.occupied == 0 { beginEpisode(start) }
    // In registers while an episode lasts.
    var (source, board, score, moves) = (source, board, score, moves)
    var recordsPath = starts.recordsPath
    var remaining = count
    while remaining > 0 {
      guard let move = network.greedyMove(from: board, rules: rules) else {
        learner.finishEpisode()
        starts.finish()
        onEpisode(
          EpisodeResult(
            score: score, moves: moves, largestExponent: board.largestTileExponent,
            isWholeGame: isWholeGame))
        self.source = source
        beginEpisode(start)
        (source, board, score, moves) = (self.source, self.board, 0, 0)
        recordsPath = starts.recordsPath
        continue
      }
      score += Int(move.reward)
      moves += 1
      remaining -= 1
      learner.observe(move)
      if recordsPath { starts.observe(board) }
      board = move.afterstate
      rules.spawn(on: &board, using: &source)
    }
    (self.source, self.board, self.score, self.moves) = (source, board, score, moves)
    learner.finishRound(using: scratch)
  }

  private mutating func beginEpisode(_ rule: StartRule) {
    let start = starts.begin(rule)
    board = start ?? rules.startBoard(using: &source)
    isWholeGame = start == nil
  }

  /// The lane between rounds.
  var state: LaneState {
    LaneState(
      source: source.state, planes: board.planes, highPlane: board.highPlane, score: score,
      moves: moves, isWholeGame: isWholeGame, starts: starts.state, waiting: learner.waiting)
  }

  /// Goes on from a saved state, but for the starts, which the lane was made with.
  ///
  /// - Precondition: the state was saved of a lane with the same configuration.
  mutating func restore(_ state: LaneState) {
    if let source = Source(state: state.source) { self.source = source }
    board = state.board
    score = state.score
    moves = state.moves
    isWholeGame = state.isWholeGame
    learner.waiting = state.waiting
  }
}
