import Game2048
import Search

/// How one game went.
public struct GameResult: Hashable, Sendable {
  /// The points at the end.
  public var score: Int
  /// The number of moves.
  public var moves: Int
  /// The exponent of the largest tile at the end.
  public var largestExponent: Int
  /// How long the game took on its thread, in seconds.
  public var seconds: Double

  public init(score: Int, moves: Int, largestExponent: Int, seconds: Double) {
    self.score = score
    self.moves = moves
    self.largestExponent = largestExponent
    self.seconds = seconds
  }
}

extension GameResult {
  /// Plays one game from its start to its end.
  ///
  /// - Precondition: `player` moves legally, and returns nil only where no move is legal.
  public init(of player: some Player, spawns: GameSpawns, rules: Rules = .standard) {
    let clock = ContinuousClock()
    let start = clock.now
    var player = player
    var board = Board()
    rules.spawn(on: &board, bits: spawns.bits(0))
    rules.spawn(on: &board, bits: spawns.bits(1))
    var score = 0
    var moves = 0
    while let direction = player.chooseMove(from: board) {
      guard let move = rules.move(board, direction) else {
        preconditionFailure("player \(player.name) chose an illegal move")
      }
      score += move.reward
      board = move.afterstate
      rules.spawn(on: &board, bits: spawns.bits(moves + 2))
      moves += 1
    }
    precondition(rules.isOver(board), "player \(player.name) gave up")
    let elapsed = (clock.now - start).components
    self.init(
      score: score, moves: moves, largestExponent: board.largestTileExponent,
      seconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
  }
}
