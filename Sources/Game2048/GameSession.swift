/// One game, from its first two tiles to its end: board, score, move count and phase.
///
/// The phases form a state machine:
///
/// ```
/// playing ──► won ──► playingPastWin ──► over
///    └─────────┴─────────────────────────►
/// ```
///
/// The move that makes a tile of 2048 wins the game, which then waits for ``keepPlaying()``. If the
/// winning move leaves no legal move, ``keepPlaying()`` ends the game.
public struct GameSession: Sendable {
  /// The phase of a game.
  public enum Phase: String, CaseIterable, Sendable {
    /// The game has not been won yet.
    case playing
    /// The last move has made a tile of 2048.
    case won
    /// The player has kept playing after the win.
    case playingPastWin
    /// No move is legal.
    case over

    /// The phases that can follow this one.
    public var successors: Set<Phase> {
      switch self {
      case .playing: [.won, .over]
      case .won: [.playingPastWin, .over]
      case .playingPastWin: [.over]
      case .over: []
      }
    }

    /// Whether the game accepts moves in this phase.
    public var acceptsMoves: Bool { self == .playing || self == .playingPastWin }
  }

  /// The effect of one move, for a program that shows it.
  public struct Step: Equatable, Sendable {
    /// The direction of the move.
    public let direction: Direction
    /// The board after the slide, before the spawn.
    public let afterstate: Board
    /// The points of the move.
    public let reward: Int
    /// The cell of the new tile.
    public let spawnCell: Int
    /// The exponent of the new tile.
    public let spawnExponent: Int
  }

  /// The exponent of the winning tile, 2048.
  public static let winningExponent = 11

  /// The rules of the game.
  public let rules: Rules
  /// The board before the player's next move.
  public private(set) var board: Board
  /// The points so far.
  public private(set) var score: Int
  /// The number of moves so far.
  public private(set) var moves: Int
  /// The phase of the game.
  public private(set) var phase: Phase

  /// Starts a game with two tiles spawned from `source`.
  public init(rules: Rules = .standard, using source: inout some RandomNumberGenerator) {
    self.init(rules: rules, board: rules.startBoard(using: &source))
  }

  /// Continues a game from `board`.
  ///
  /// The game is over if no move is legal, and past its win if the board holds a tile of 2048 or more.
  ///
  /// - Precondition: All tiles lie on cells in play, and `score` and `moves` are not negative.
  public init(rules: Rules = .standard, board: Board, score: Int = 0, moves: Int = 0) {
    precondition(rules.haveRoom(for: board), "a tile lies outside the board")
    precondition(score >= 0 && moves >= 0, "a game has no negative score or move count")
    self.rules = rules
    self.board = board
    self.score = score
    self.moves = moves
    if rules.isOver(board) {
      phase = .over
    } else {
      phase =
        board.largestTileExponent >= GameSession.winningExponent ? .playingPastWin : .playing
    }
  }

  /// The directions of the legal moves, or none if the phase does not accept moves.
  public var legalDirections: [Direction] {
    phase.acceptsMoves ? rules.legalDirections(from: board) : []
  }

  /// Plays one move and spawns the tile that follows it.
  ///
  /// - Throws: ``GameSessionError`` if the move is not legal now. The game is then unchanged.
  @discardableResult
  public mutating func play(
    _ direction: Direction, using source: inout some RandomNumberGenerator
  ) throws(GameSessionError) -> Step {
    guard phase.acceptsMoves else { throw .noMove(in: phase) }
    guard let (afterstate, reward) = rules.move(board, direction) else {
      throw .changesNothing(direction)
    }
    board = afterstate
    rules.spawn(on: &board, using: &source)
    score += reward
    moves += 1
    if phase == .playing, afterstate.largestTileExponent >= GameSession.winningExponent {
      enter(.won)
    } else if rules.isOver(board) {
      enter(.over)
    }
    let cell = board.cellAdded(to: afterstate)
    return Step(
      direction: direction, afterstate: afterstate, reward: reward,
      spawnCell: cell, spawnExponent: board[cell])
  }

  /// Continues the game after the win.
  ///
  /// - Throws: ``GameSessionError/notWon(_:)`` unless the phase is *won*.
  public mutating func keepPlaying() throws(GameSessionError) {
    guard phase == .won else { throw .notWon(phase) }
    enter(rules.isOver(board) ? .over : .playingPastWin)
  }

  private mutating func enter(_ next: Phase) {
    precondition(phase.successors.contains(next), "no transition from \(phase) to \(next)")
    phase = next
  }
}

/// The reason why a game rejected an action.
public enum GameSessionError: Error, Equatable, CustomStringConvertible {
  /// The phase does not allow a move.
  case noMove(in: GameSession.Phase)
  /// The game cannot be continued, because it is not *won*.
  case notWon(GameSession.Phase)
  /// The move would not change the board, so it is not legal.
  case changesNothing(Direction)

  public var description: String {
    switch self {
    case .noMove(in: .won): "the game is won: keep playing before the next move"
    case .noMove(in: .over): "the game is over: no move is taken"
    case .noMove(in: let phase): "no move is taken while the game is \(phase)"
    case .notWon(let phase):
      "a game can be kept playing only once it is won, and it is \(phase)"
    case .changesNothing(let direction): "moving \(direction) changes nothing"
    }
  }
}
