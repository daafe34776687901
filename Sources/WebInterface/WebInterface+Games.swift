import Basics
import Game2048
import Play

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

extension WebInterface {
  /// The most games in one answer of the list.
  static let listedGames = 1_000

  /// A recorded game with all of its boards.
  struct RecordedGameDocument: Encodable {
    let game: Int
    let player: String
    let seed: UInt64
    let score: Int
    let boards: [String]
    let moves: [String]
  }

  /// Returns the recorded games that all players have, from that after the number of the parameter `after` on.
  func recordedGames(_ query: Query) throws(RequestError) -> JSONValue {
    let after = try query.optionalNumber("after") ?? 0
    guard let file = games?.file else { return ["players": [], "games": 0, "list": []] }
    let count = file.header.gameCounts.min() ?? 0
    let first = min(after, count)
    let list = (first..<min(first + WebInterface.listedGames, count)).map { game in
      JSONValue.object([
        "game": .integer(game + 1), "scores": .array(file.entries.map { .integer($0[game].score) }),
      ])
    }
    return [
      "players": .array(file.header.players.map { .string($0) }), "games": .integer(count),
      "list": .array(list),
    ]
  }

  /// Returns a recorded game.
  func recordedGame(_ number: String, _ query: Query) throws -> RecordedGameDocument {
    guard let games else {
      throw RequestError(
        .notFound, "this server has no recorded games. Start it with serve --games FILE.")
    }
    guard let game = Int(number) else {
      throw RequestError(.notFound, "no game \(number). Games are numbered from 1.")
    }
    let header = games.file.header
    do {
      let place = try games.file.place(ofGame: game, player: query.optionalText("player"))
      let replay = try games.file.replay(
        player: place.player, game: place.game, path: games.path)
      let played = try PlayedGame(replay)
      return RecordedGameDocument(
        game: game, player: header.players[place.player], seed: header.seed, score: played.score,
        boards: (played.moves.map(\.board) + [played.board]).map(\.text),
        moves: played.moves.map { "\($0.direction)" })
    } catch let error as MissingGame {
      throw RequestError(.notFound, error.description)
    } catch let error as LocatedError {
      throw RequestError(.unprocessableEntity, error.description)
    }
  }
}
