import Basics
import Game2048
import Search

/// The result of one game.
public struct GameResult: Hashable, Sendable {
  /// The final score in points.
  public var score: Int
  /// The number of moves.
  public var moves: Int
  /// The exponent of the largest tile at the end.
  public var largestExponent: Int
  /// The duration of the game in seconds of wall-clock time.
  public var seconds: Double
  /// The game move by move; nil if it was not recorded.
  public var record: GameRecord?
  /// The board from which the game was played; nil for the start of the game.
  public var start: Board?

  package init(
    score: Int, moves: Int, largestExponent: Int, seconds: Double, record: GameRecord? = nil,
    start: Board? = nil
  ) {
    self.score = score
    self.moves = moves
    self.largestExponent = largestExponent
    self.seconds = seconds
    self.record = record
    self.start = start
  }
}

extension GameResult {
  /// Plays one game to its end.
  ///
  /// - Precondition: `player` chooses only legal moves, and returns nil only if no move is legal.
  public init(
    of player: some Player, spawns: GameSpawns, rules: Rules = .standard, isRecorded: Bool = false
  ) {
    self.init(
      of: player, start: nil, spawns: spawns, rules: rules, isRecorded: isRecorded,
      underWay: MoveCount())
  }

  /// Plays one game, or the rest of one, to its end. The score is that of the moves played.
  ///
  /// - Parameters:
  ///   - start: The board to play from; nil for the start of the game.
  ///   - underWay: Receives the number of moves from time to time.
  /// - Precondition: A game from a board is not recorded.
  init(
    of player: some Player, start: Board?, spawns: GameSpawns, rules: Rules, isRecorded: Bool,
    underWay: MoveCount
  ) {
    precondition(start == nil || !isRecorded, "a record begins with the start of the game")
    let began = ContinuousClock.now
    var player = player
    var board = start ?? Board()
    var record = isRecorded ? GameRecord() : nil
    for spawn in 0..<(start == nil ? 2 : 0) {
      let before = board
      rules.spawn(on: &board, bits: spawns.bits(spawn))
      record?.append(from: before, to: board)
    }
    var score = 0
    var moves = 0
    while let direction = player.chooseMove(from: board) {
      guard let move = rules.move(board, direction) else {
        preconditionFailure("player \(player.name) chose an illegal move")
      }
      score += move.reward
      board = move.afterstate
      rules.spawn(on: &board, bits: spawns.bits(moves + 2))
      record?.append(direction, from: move.afterstate, to: board)
      moves += 1
      if moves % MoveCount.interval == 0 { underWay.set(moves) }
    }
    precondition(rules.isOver(board), "player \(player.name) gave up")
    self.init(
      score: score, moves: moves, largestExponent: board.largestTileExponent,
      seconds: began.duration(to: .now).seconds, record: record, start: start)
  }
}
