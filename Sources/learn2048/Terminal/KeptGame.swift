import Arena
import Basics
import Foundation
import Game2048

/// The file in which `play` keeps its game: recorded games, with this as the only one.
struct KeptGame {
  /// The game so far.
  struct Content {
    var record: GameRecord
    var score: Int
    /// Whether the person has made all moves.
    var isOwn: Bool
  }

  let path: String
  /// The file as this program has read or written it last; nil if there was none.
  private var file: GameRecordFile?
  /// The game to continue, at its start, and whether the person has made all moves; nil if there is none.
  private(set) var open: (replay: GameReplay, isOwn: Bool)?

  private static let person = "person"

  /// Reads the game of a file, if there is one.
  ///
  /// - Parameter rules: the rules of the player, who must be able to play on the board.
  /// - Throws: `LocatedError` if the file is damaged or has several games, or `Failure` if its board is another.
  init(path: String, rules: Rules) throws {
    self.path = path
    guard FileManager.default.fileExists(atPath: path) else { return }
    let file = try KeptGame.read(path)
    let names = file.header.players
    guard names.count == 1, file.header.games == 1 else {
      throw LocatedError(
        .usage, path: path, "has not one game, but \(file.header.games * names.count)",
        remedy: "name another file with --game")
    }
    try file.require(rules, path: path)
    self.file = file
    let replay = try file.replay(player: 0, game: 0, path: path)
    var last = replay
    while try last.step() != nil {}
    if !last.rules.isOver(last.board) { open = (replay, names[0] == KeptGame.person) }
  }

  /// Writes the game, unless another program has written to the file meanwhile.
  ///
  /// - Throws: `LocatedError` if that is so, or if the file cannot be read or written.
  mutating func write(_ game: Content, rules: Rules, seed: UInt64, player: String) throws {
    let now = FileManager.default.fileExists(atPath: path) ? try KeptGame.read(path) : nil
    guard now == nil || now == file else {
      throw LocatedError(
        .locked, path: path, "another program keeps a game there",
        remedy: "name another file with --game")
    }
    let new = GameRecordFile(
      game.record, score: game.score, rules: rules, seed: seed,
      player: game.isOwn ? KeptGame.person : "\(KeptGame.person) with \(player)")
    try createDirectory(at: parentDirectory(of: path))
    try new.write(to: path)
    file = new
  }

  private static func read(_ path: String) throws -> GameRecordFile {
    do {
      return try GameRecordFile.read(path)
    } catch let error as LocatedError where error.kind == .unsuitableData {
      throw LocatedError(
        error.kind, path: path, place: error.place, error.problem,
        remedy: "remove it, or name another file with --game")
    }
  }
}
