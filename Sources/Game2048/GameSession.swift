/// One game from its first two tiles to its end: board, score, move count and phase.
///
/// The phases form a state machine, and everything on a screen follows from the phase:
///
/// ```
/// playing ──► won ──► playingPastWin ──► over
///    └─────────┴─────────────────────────►
/// ```
///
/// A game is *won* by the move that makes a tile of 2048, and then waits for ``keepPlaying()``. A
/// game that is won on a board without a legal move goes from there straight to *over*.
public struct GameSession: Sendable {
  /// Where a game is in its life.
  public enum Phase: String, CaseIterable, Sendable {
    case playing
    case won
    case playingPastWin
    case over

    /// The phases that may follow this one.
    public var successors: Set<Phase> {
      switch self {
      case .playing: [.won, .over]
      case .won: [.playingPastWin, .over]
      case .playingPastWin: [.over]
      case .over: []
      }
    }

    /// Whether moves are taken.
    public var acceptsMoves: Bool { self == .playing || self == .playingPastWin }
  }

  /// What one move did, for whoever shows it.
  public struct Step: Equatable, Sendable {
    public let direction: Direction
    /// The board after the slide, before the spawn.
    public let afterstate: Board
    /// The points of the move.
    public let reward: Int
    /// The cell of the new tile, and its exponent.
    public let spawnCell: Int
    public let spawnExponent: Int
  }

  /// The exponent of the tile that wins: 2048.
  public static let winningExponent = 11

  public let rules: Rules
  /// The board, the player to move.
  public private(set) var board: Board
  /// The points so far.
  public private(set) var score: Int
  /// The number of moves so far.
  public private(set) var moves: Int
  public private(set) var phase: Phase

  /// A new game, with two tiles spawned from `source`.
  public init(rules: Rules = .standard, using source: inout some RandomNumberGenerator) {
    self.init(rules: rules, board: rules.startBoard(using: &source))
  }

  /// A game that goes on from `board`: past its win if it holds a 2048 tile, and over if no move is
  /// legal.
  ///
  /// - Precondition: tiles lie only on cells of the rules' board; `score` and `moves` are not
  ///   negative.
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

  /// The directions that may be played now; none unless the phase accepts moves.
  public var legalDirections: [Direction] {
    phase.acceptsMoves ? rules.legalDirections(from: board) : []
  }

  /// Plays one move and spawns the tile that follows it.
  ///
  /// - Throws: ``GameSessionError``, and nothing has changed.
  @discardableResult
  public mutating func play(
    _ direction: Direction, using source: inout some RandomNumberGenerator
  ) throws(GameSessionError) -> Step {
    guard phase.acceptsMoves else { throw .notAllowed(.move, in: phase) }
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

  /// Goes on after the win.
  ///
  /// - Throws: ``GameSessionError/notAllowed(_:in:)`` unless the phase is *won*.
  public mutating func keepPlaying() throws(GameSessionError) {
    guard phase == .won else { throw .notAllowed(.keepPlaying, in: phase) }
    enter(rules.isOver(board) ? .over : .playingPastWin)
  }

  private mutating func enter(_ next: Phase) {
    precondition(phase.successors.contains(next), "no transition from \(phase) to \(next)")
    phase = next
  }
}

/// Why a game did not do what it was told to.
public enum GameSessionError: Error, Equatable, CustomStringConvertible {
  /// What a game can be told to do.
  public enum Action: String, Sendable {
    case move
    case keepPlaying
  }

  /// The phase does not allow the action.
  case notAllowed(Action, in: GameSession.Phase)
  /// A move that moves no tile is not legal.
  case changesNothing(Direction)

  public var description: String {
    switch self {
    case .notAllowed(.move, in: .won): "the game is won: keep playing before the next move"
    case .notAllowed(.move, in: .over): "the game is over: no move is taken"
    case .notAllowed(.move, in: let phase): "no move is taken while the game is \(phase)"
    case .notAllowed(.keepPlaying, in: let phase):
      "a game can be kept playing only once it is won, and it is \(phase)"
    case .changesNothing(let direction): "moving \(direction) changes nothing"
    }
  }
}
