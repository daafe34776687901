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

/// The random bits that decide the spawns of one game: a function of seed, game and spawn alone.
///
/// Players of the same numbered game see the same boards until their moves differ, and the same sequence
/// of bits after that. This pairs their games for comparisons.
///
/// Spawns 0 and 1 are the two initial tiles, and spawn `t + 2` follows move `t`.
public struct GameSpawns: Sendable {
  private let key: UInt64

  /// Creates the spawns of game number `game` for a seed.
  public init(seed: UInt64, game: Int) {
    key = SplitMix64.streamSeed(seed, game)
  }

  /// Returns the 64 bits that decide a spawn.
  @inline(__always)
  public func bits(_ spawn: Int) -> UInt64 {
    SplitMix64.mix(key &+ UInt64(truncatingIfNeeded: spawn &+ 1) &* 0x9E37_79B9_7F4A_7C15)
  }

  /// Returns the board with the two initial tiles.
  public func startBoard(_ rules: Rules) -> Board {
    var board = Board()
    for spawn in 0..<2 { rules.spawn(on: &board, bits: bits(spawn)) }
    return board
  }

  /// Returns a number below `count` that is drawn for this game; the same for every player.
  ///
  /// Its bits are those before the first spawn's.
  func draw(below count: Int) -> Int {
    Int(bits(-1).multipliedFullWidth(by: UInt64(count)).high)
  }

  /// The seed for random decisions of a player in this game; the same for every player.
  public var playerSeed: UInt64 { SplitMix64.mix(~key) }
}

/// The boards from which numbered games are played.
public struct StartBoards: Hashable, Sendable {
  /// The boards; empty for whole games.
  public let boards: [Board]
  /// Whether each game draws its board, instead of the games taking the boards in turn.
  ///
  /// A ``StoppingRule`` requires it, because the boards of a file may come in any order, such as the easy ones first.
  /// Games from drawn boards are independent, and each is won with the same probability.
  public let areDrawn: Bool

  /// No boards: whole games.
  public static let none = StartBoards([])

  public init(_ boards: [Board], areDrawn: Bool = false) {
    self.boards = boards
    self.areDrawn = areDrawn
  }

  /// Returns the board of a game, which is the same for all players; nil for a whole game.
  ///
  /// - Parameters:
  ///   - game: The number of the game, from 0.
  ///   - seed: The seed of the spawns.
  public func board(ofGame game: Int, seed: UInt64) -> Board? {
    if boards.isEmpty { return nil }
    return boards[
      areDrawn ? GameSpawns(seed: seed, game: game).draw(below: boards.count) : game % boards.count]
  }
}
