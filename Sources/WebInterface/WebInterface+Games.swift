import Arena
import Basics
import Game2048

extension WebInterface {
  /// Returns a new game with the given or a random seed.
  func newGame(_ query: Query) throws(RequestError) -> JSONValue {
    let seed = try query.optionalNumber("seed") ?? Int.random(in: 0...999_999)
    let board = WebInterface.spawns(seed).startBoard(rules)
    return ["seed": .integer(seed), "board": .string(board.text)]
  }

  /// Returns the effect of a move and the spawn after it, which the seed and the number of moves determine.
  func move(_ query: Query) throws(RequestError) -> JSONValue {
    try effect(
      of: query.direction(), on: query.board(rules), seed: query.number("seed"),
      moves: query.number("moves"))
  }

  func effect(
    of direction: Direction, on before: Board, seed: Int, moves: Int
  ) throws(RequestError) -> JSONValue {
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
    let slides = rules.slides(on: before, direction).map {
      JSONValue.object(["from": .integer($0.origin), "to": .integer($0.destination)])
    }
    return [
      "afterstate": .string(afterstate.text), "reward": .integer(reward),
      "slides": .array(slides),
      "spawn": ["cell": .integer(cell), "exponent": .integer(board[cell])],
      "board": .string(board.text), "isOver": .bool(rules.isOver(board)),
    ]
  }

  /// Returns the spawns of the game that `evaluate --games 1 --seed SEED` plays.
  private static func spawns(_ seed: Int) -> GameSpawns {
    GameSpawns(seed: UInt64(seed), game: 0)
  }
}
