import Arena
import Game2048

extension WebInterface {
  /// The first board of a game.
  struct GameDocument: Encodable {
    let seed: Int
    let board: String
  }

  /// The effect of a move.
  struct MoveDocument: Encodable {
    struct Slide: Encodable {
      let from: Int
      let to: Int
    }
    struct Spawn: Encodable {
      let cell: Int
      let exponent: Int
    }
    let afterstate: String
    let reward: Int
    let slides: [Slide]
    let spawn: Spawn
    let board: String
    let isOver: Bool
  }

  /// Returns a new game with the given or a random seed.
  func newGame(_ query: Query) throws(RequestError) -> GameDocument {
    let seed = try query.optionalNumber("seed") ?? Int.random(in: 0...999_999)
    return GameDocument(
      seed: seed, board: WebInterface.spawns(seed).startBoard(content.rules).text)
  }

  /// Returns the effect of a move and the spawn after it, which the seed and the number of moves determine.
  func move(_ query: Query) throws(RequestError) -> MoveDocument {
    try effect(
      of: query.direction(), on: query.board(content.rules), seed: query.number("seed"),
      moves: query.number("moves"))
  }

  func effect(
    of direction: Direction, on before: Board, seed: Int, moves: Int
  ) throws(RequestError) -> MoveDocument {
    let rules = content.rules
    guard let (afterstate, reward) = rules.move(before, direction) else {
      throw RequestError(.conflict, "moving \(direction) changes nothing on \(before.text).")
    }
    guard afterstate.largestTileExponent <= Board.largestExponent else {
      throw RequestError(
        .conflict,
        "moving \(direction) makes a tile beyond \(1 << Board.largestExponent) on \(before.text).")
    }
    var board = afterstate
    rules.spawn(on: &board, bits: WebInterface.spawns(seed).bits(moves + 2))
    let cell = board.cellAdded(to: afterstate)
    return MoveDocument(
      afterstate: afterstate.text, reward: reward,
      slides: rules.slides(on: before, direction).map {
        .init(from: $0.origin, to: $0.destination)
      },
      spawn: .init(cell: cell, exponent: board[cell]), board: board.text,
      isOver: rules.isOver(board))
  }

  /// Returns the spawns of the game that `evaluate --games 1 --seed SEED` plays.
  private static func spawns(_ seed: Int) -> GameSpawns {
    GameSpawns(seed: UInt64(seed), game: 0)
  }
}
