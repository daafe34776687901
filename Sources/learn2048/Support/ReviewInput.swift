import Arena
import Basics
import Game2048
import Review

/// The game that `review` reads: one of a file of recorded games, or a text of boards.
struct ReviewInput {
  private enum Content {
    case recorded(GameRecordFile, player: Int, game: Int)
    case boards([(number: Int, text: String)])
  }

  /// The name of the file for messages.
  private let name: String
  private let content: Content

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - file: The path, or `-` for boards from standard input.
  ///   - game: The number of a recorded game, from 1; nil for the first.
  ///   - player: The name of its player; nil for the first.
  /// - Throws: `LocatedError` if the file cannot be read, `Failure` if it does not have the game.
  init(_ file: String, game: Int?, player: String?) throws {
    guard try file != "-" && GameRecordFile.isRecord(file) else {
      if let option = firstGiven(["--game": game, "--of": player]) {
        throw Failure(
          .usage, "\(option) is for recorded games, and \(file) has boards. Leave it out.")
      }
      let (name, lines) = try BoardText.rawLines(of: file)
      self.name = name
      content = .boards(lines)
      return
    }
    let games = try GameRecordFile.read(file)
    let (player, game) = try games.place(ofGame: game ?? 1, player: player, path: file)
    name = file
    content = .recorded(games, player: player, game: game)
  }

  /// Returns the game.
  ///
  /// - Parameter modelRules: The rules of the reviewing model; nil without a model.
  /// - Throws: `LocatedError` if the game breaks the rules, `Failure` if the model plays on another board.
  func game(modelRules: Rules?) throws -> PlayedGame {
    switch content {
    case .boards(let lines):
      return try PlayedGame(lines: lines, name: name, rules: modelRules ?? .standard)
    case .recorded(let games, let player, let game):
      if let modelRules { try games.require(modelRules, path: name) }
      return try PlayedGame(games.replay(player: player, game: game, path: name))
    }
  }
}

extension GameRecordFile {
  /// Checks that a model plays on the board of the games.
  ///
  /// - Throws: `Failure` if it plays on another one.
  func require(_ modelRules: Rules, path: String) throws {
    let (size, own) = (rules.size, modelRules.size)
    guard size == own else {
      throw Failure(
        .usage,
        "\(path): the games were played on \(size)x\(size), but the model plays on \(own)x\(own). Choose a "
          + "model for \(size)x\(size) with --model.")
    }
  }

  /// Returns the indices of a player and of a game.
  ///
  /// - Parameters:
  ///   - number: The number of the game, from 1.
  ///   - player: The name of the player; nil for the first.
  /// - Throws: `Failure` if there is none.
  func place(
    ofGame number: Int, player: String?, path: String
  ) throws -> (player: Int, game: Int) {
    let names = header.players
    guard let place = player.map({ names.firstIndex(of: $0) }) ?? 0 else {
      throw Failure(
        .usage,
        "\(path): no games of '\(player ?? "")'. Players: \(names.joined(separator: ", ")).")
    }
    guard number <= header.games else {
      throw Failure(
        .usage,
        "\(path): no game \(NumberText.grouped(number)). The last is "
          + "\(NumberText.grouped(header.games)).")
    }
    return (place, number - 1)
  }
}
