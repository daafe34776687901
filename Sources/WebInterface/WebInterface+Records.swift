import Arena
import Basics
import Review

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
