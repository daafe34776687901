import Arena
import Game2048
import Review

extension PlayedGame {
  /// Reads the game that `review` is about: one of a file of recorded games, or a text of boards.
  ///
  /// - Parameters:
  ///   - file: The path, or `-` for boards from standard input.
  ///   - game: The number of a recorded game, from 1; nil for the first.
  ///   - player: The name of its player; nil for the first.
  ///   - modelRules: The rules of the reviewing model; nil without a model.
  /// - Throws: `LocatedError` if the file cannot be read or the game breaks the rules, `Failure` if the file does
  ///   not have the game, or the model plays on another board.
  init(readingFrom file: String, game: Int?, player: String?, modelRules: Rules?) throws {
    guard try file != "-" && GameRecordFile.isRecord(file) else {
      if let option = firstGiven(["--game": game, "--of": player]) {
        throw Failure(
          .usage, "\(option) is for recorded games, and \(file) has boards. Leave it out.")
      }
      let (name, lines) = try BoardText.rawLines(of: file)
      try self.init(lines: lines, name: name, rules: modelRules ?? .standard)
      return
    }
    let games = try GameRecordFile.read(file)
    let (player, game) = try games.find(game: game ?? 1, player: player, path: file)
    if let modelRules { try games.require(modelRules, path: file) }
    try self.init(games.replay(player: player, game: game, path: file))
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

  /// Returns the indices of a player and of a game, as `place(ofGame:player:)` does.
  ///
  /// - Throws: `Failure` if there is none.
  func find(game: Int, player: String?, path: String) throws -> (player: Int, game: Int) {
    do {
      return try place(ofGame: game, player: player)
    } catch {
      throw Failure(.usage, "\(path): \(error)")
    }
  }
}
