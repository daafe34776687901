import Basics
import Foundation
import Game2048
import Play

extension WebInterface {
  /// Returns a new game with the given or a random seed.
  func newGame(_ query: Query) throws(RequestError) -> NewGame {
    let seed = try query.optionalSeed() ?? UInt64.random(in: 0...999_999)
    return NewGame(seed: seed, board: WebInterface.spawns(seed).startBoard(rules))
  }

  /// Returns the effect of a move and the spawn after it, which the seed and the number of moves determine.
  func move(_ query: Query) throws(RequestError) -> MoveEffect {
    try effect(
      of: query.direction(), on: query.board(rules), seed: query.seed(),
      moves: query.number("moves"))
  }

  func effect(
    of direction: Direction, on before: Board, seed: UInt64, moves: Int
  ) throws(RequestError) -> MoveEffect {
    guard let (afterstate, reward) = rules.move(before, direction) else {
      throw RequestError(.conflict, "moving \(direction) changes nothing on \(before.text).")
    }
    var board = afterstate
    rules.spawn(on: &board, bits: WebInterface.spawns(seed).bits(moves + 2))
    return MoveEffect(
      afterstate: afterstate, reward: reward,
      slides: rules.slides(on: before, direction).map {
        MoveEffect.Slide(from: $0.origin, to: $0.destination)
      },
      board: board, isOver: rules.isOver(board))
  }

  /// Returns the spawns of the game that `evaluate --games 1 --seed SEED` plays.
  private static func spawns(_ seed: UInt64) -> GameSpawns {
    GameSpawns(seed: seed, game: 0)
  }
}

extension WebInterface {
  /// Returns the game that a body has.
  func playedGame(_ body: Data) throws(RequestError) -> PlayedGameDocument {
    let name = "the text"
    do {
      let game = try PlayedGame(reading: body, name: name, rules: rules)
      try game.requireMoves(name: name)
      return PlayedGameDocument(game: game)
    } catch {
      let text = String("\(error)".dropFirst("\(name): ".count))
      throw RequestError(
        .unprocessableEntity, capitalised(error.place == nil ? "\(name) \(text)" : text))
    }
  }

  /// The most games in one answer of the list.
  static let listedGames = 1_000

  /// Returns the recorded games that all players have, from that after the number of the parameter `after` on.
  func recordedGames(_ query: Query) throws(RequestError) -> RecordedGameList {
    let after = try query.optionalNumber("after") ?? 0
    guard let file = games?.file else { return RecordedGameList(players: [], games: 0, list: []) }
    let count = file.header.gameCounts.min() ?? 0
    let first = min(after, count)
    let list = (first..<min(first + WebInterface.listedGames, count)).map { game in
      RecordedGameList.Game(game: game + 1, scores: file.entries.map { $0[game].score })
    }
    return RecordedGameList(players: file.header.players, games: count, list: list)
  }

  /// Returns a recorded game.
  func recordedGame(_ number: String, _ query: Query) throws -> RecordedGame {
    guard let games else {
      throw RequestError(
        .notFound, "this server has no recorded games. Start it with serve --games FILE.")
    }
    // A game has one address.
    guard let game = Int(number), "\(game)" == number else {
      throw RequestError(.notFound, "no game \(number). Games are numbered from 1.")
    }
    let header = games.file.header
    do {
      let place = try games.file.place(
        ofGame: game, player: query.optionalText("player"), path: games.path)
      let replay = try games.file.replay(
        player: place.player, game: place.game, path: games.path)
      let played = try PlayedGame(replay)
      return RecordedGame(
        game: game, player: header.players[place.player], seed: header.seed, score: played.score,
        boards: played.moves.map(\.board) + [played.board], moves: played.moves.map(\.direction))
    } catch let error as LocatedError {
      throw RequestError(
        error.kind == .usage ? .notFound : .unprocessableEntity, error.description)
    }
  }
}

// MARK: Documents

/// A new game with its two first tiles.
struct NewGame: Document {
  let seed: UInt64
  let board: Board

  static let fields: [Field<NewGame>] = [
    Field("seed", { "\($0.seed)" }, seedMeaning, schema: seedSchema),
    Field("board", \.board, "The board."),
  ]
}

/// The effect of a move, with the spawn after it.
struct MoveEffect: Document {
  /// The cells of a tile before and after a move.
  struct Slide: Document {
    let from: Int
    let to: Int

    static let fields: [Field<Slide>] = [
      Field("from", \.from, "The cell of a tile before the move.", schema: cells),
      Field("to", \.to, "Its cell after the move.", schema: cells),
    ]
  }

  let afterstate: Board
  let reward: Int
  let slides: [Slide]
  let board: Board
  let isOver: Bool

  private static let cells = ValueSchema.integer(0...15)
  private var spawnCell: Int { board.cellAdded(to: afterstate) }

  static let fields: [Field<MoveEffect>] = [
    Field("afterstate", \.afterstate, "The board after the move and before the spawn."),
    Field("reward", \.reward, unit: "points", "The reward."),
    Field("slides", \.slides),
    Field(
      "spawn",
      [
        Field("cell", \.spawnCell, "The cell of the new tile.", schema: cells),
        Field(
          "exponent", { $0.board[$0.spawnCell] }, "1 for a 2, 2 for a 4.",
          schema: ValueSchema.integer(1...2)),
      ]),
    Field("board", \.board, "The board after the spawn."),
    Field("isOver", \.isOver, "Whether no move is legal on it."),
  ]
}

/// The recorded games that `serve --games` has read.
struct RecordedGameList: Document {
  /// A game with its scores, in the order of the players.
  struct Game: Document {
    let game: Int
    let scores: [Int]

    static let fields: [Field<Game>] = [
      Field("game", \.game, "The number of a game, from 1."),
      Field("scores", \.scores, unit: "points", "Its scores, in the order of the players."),
    ]
  }

  let players: [String]
  let games: Int
  let list: [Game]

  static let fields: [Field<RecordedGameList>] = [
    Field("players", \.players, "The names of the players."),
    Field("games", \.games, "The number of games of each player."),
    Field("list", \.list),
  ]
}

/// A recorded game with all of its boards.
struct RecordedGame: Document {
  let game: Int
  let player: String
  let seed: UInt64
  let score: Int
  let boards: [Board]
  let moves: [Direction]

  static let fields: [Field<RecordedGame>] = [
    Field("game", \.game, "The number of the game."),
    Field("player", \.player, "The name of its player."),
    Field("seed", { "\($0.seed)" }, seedMeaning, schema: seedSchema),
    Field("score", \.score, unit: "points", "The final score."),
    Field("boards", \.boards, "The boards in order."),
    Field("moves", \.moves, "The directions between the boards."),
  ]
}

/// A game that has been read from a text.
struct PlayedGameDocument: Document {
  let game: PlayedGame

  static let fields: [Field<PlayedGameDocument>] = [
    Field("boards", { $0.game.moves.map(\.board) + [$0.game.board] }, "The boards in order."),
    Field(
      "moves", { $0.game.moves.map(\.direction) }, "The directions between the boards."),
    Field(
      "scores", { $0.game.moves.map(\.score) + [$0.game.score] }, unit: "points",
      "The score at each board."),
  ]
}

/// JavaScript rounds numbers above 2^53.
private let seedMeaning = "The seed of the spawns, as a text."
private let seedSchema: ValueSchema.Members = ["type": "string", "pattern": "^[0-9]{1,20}$"]
