import Basics
import Game2048
import Search
import Synchronization

/// What a player thinks of the moves of a game.
///
/// The loss of a move is the action value of the best move minus that of the played one, in points.
public struct GameReview: Sendable {
  /// One move, with its loss.
  public struct Move: Hashable, Sendable {
    /// The number of the move, from 1.
    public let number: Int
    /// The move as it was played.
    public let played: PlayedGame.Move
    /// The best move.
    public let best: Direction
    /// The final score that the reviewing player expects before the move: the score plus the value of the best
    /// move.
    public let expected: Double
    /// The loss of the played move, in points; at least 0.
    public let loss: Double
    /// The share of the points to come that the played move gave away: its loss divided by the value of the best
    /// move, in 0...1.
    public let share: Double
    /// The mean loss of the legal moves; nil if only one is legal.
    public let meanLoss: Double?
  }

  /// The moves in order.
  public let moves: [Move]
  /// The score after the last move.
  public let finalScore: Int
  /// The number of rows and of columns of the board.
  public let boardSize: Int

  /// How much a move gave away, on one scale for all boards.
  public enum Grade: String, CaseIterable, Hashable, Sendable {
    /// No better move was known.
    case best
    /// Less than 1 % of the points to come.
    case small
    /// Less than 10 %.
    case medium
    case large

    /// What a number of such moves is called.
    public func words(_ count: Int) -> String {
      let (one, many) =
        switch self {
        case .best: ("best move", "best moves")
        case .small: ("small loss", "small losses")
        case .medium: ("loss", "losses")
        case .large: ("large loss", "large losses")
        }
      return "\(NumberText.grouped(count)) \(count == 1 ? one : many)"
    }
  }

  /// The number of moves of each grade, which add up to all moves.
  public var counts: [Grade: Int] {
    Dictionary(grouping: moves, by: \.grade).mapValues(\.count)
  }

  /// The definition of the grades, for help texts.
  public static let gradeDefinition =
    "A loss is small if it is below 1 % of the points to come, that is, of the value of the best move, and large "
    + "from 10 % on."

  /// The accuracy: 1 minus the sum of losses divided by the sum of mean losses.
  ///
  /// A player that moves at random has an accuracy of 0 in expectation, and one that always finds the best move
  /// has 1. Boards with a single legal move do not count. It is nil if the sum of mean losses is 0.
  public var accuracy: Double? {
    let choices = moves.compactMap { move in move.meanLoss.map { (loss: move.loss, mean: $0) } }
    let means = choices.reduce(0) { $0 + $1.mean }
    return means > 0 ? 1 - choices.reduce(0) { $0 + $1.loss } / means : nil
  }

  /// The definition of ``accuracy``, for help texts.
  public static let accuracyDefinition =
    "Accuracy is 100 % x (1 - sum of losses / sum of mean losses), where the mean loss of a board is the mean "
    + "over its legal moves. Random moves have an accuracy of 0 % on average, and the best moves 100 %. It can "
    + "be negative. Boards with a single legal move do not count."

  /// Returns up to `count` moves that gave most away, the worst first. Moves without a loss are left out.
  public func worst(_ count: Int = 10) -> [Move] { Array(bad.prefix(count)) }

  /// Returns the moves that mattered most, in order: each gave most away of all that are at least 20 moves from those
  /// that gave away more.
  public func moments(_ count: Int = 3) -> [Move] {
    var moments: [Move] = []
    for move in bad where moments.allSatisfy({ abs($0.number - move.number) >= 20 }) {
      moments.append(move)
      if moments.count == count { break }
    }
    return moments.sorted { $0.number < $1.number }
  }

  private var bad: [Move] {
    moves.filter { $0.loss > 0 }.sorted { ($1.share, $0.number) < ($0.share, $1.number) }
  }

  /// Reviews a game.
  ///
  /// Every board is analysed by a new player, so that its result does not depend on the boards before, and the
  /// review of a player without a time limit does not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - game: The game.
  ///   - threads: The number of threads, which share the moves.
  ///   - makePlayer: Returns a player with a seed. Its action values are points.
  ///   - onProgress: Called from any thread with the number of reviewed moves.
  public init(
    of game: PlayedGame, threads: Int = 1,
    makePlayer: @Sendable (_ seed: UInt64) -> any Player,
    onProgress: @Sendable (_ moves: Int) -> Void = { _ in }
  ) {
    let next = Atomic<Int>(0)
    let finished = Atomic<Int>(0)
    let reviewed = Mutex<[Move]>([])
    WorkerThreads.run(count: threads) { _, _ in
      var own: [Move] = []
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < game.moves.count else { break }
        let played = game.moves[index]
        var player = makePlayer(played.board.analysisSeed)
        own.append(Move(number: index + 1, played, player.decide(on: played.board)))
        onProgress(finished.wrappingAdd(1, ordering: .relaxed).newValue)
      }
      reviewed.withLock { $0 += own }
    }
    moves = reviewed.withLock { $0 }.sorted { $0.number < $1.number }
    finalScore = game.score
    boardSize = game.rules.size
  }
}

extension GameReview.Move {
  /// How much the move gave away.
  public var grade: GameReview.Grade {
    loss == 0 ? .best : share < 0.01 ? .small : share < 0.1 ? .medium : .large
  }

  /// Compares a move with a decision on its board.
  ///
  /// - Precondition: The move is legal, and the legal moves have values.
  init(number: Int, _ played: PlayedGame.Move, _ decision: Decision) {
    let values = decision.moves.compactMap(\.value)
    let best = values.max()!
    self.number = number
    self.played = played
    self.best = decision.best!
    expected = Double(played.score) + best
    loss = best - decision.moves[played.direction.rawValue].value!
    // A network that has hardly learned can value everything below 0.
    share = loss > 0 ? min(1, loss / max(best, .leastNormalMagnitude)) : 0
    meanLoss =
      values.count == 1 ? nil : values.reduce(0) { $0 + (best - $1) } / Double(values.count)
  }
}
