import Basics
import Foundation
import Game2048
import Play

/// The file in which `play` keeps its game: recorded games, with this as the only one.
struct KeptGame {
  /// The file. It changes if another program keeps its game in the first one.
  private(set) var path: String
  /// The file as this program has read or written it last; nil if there was none.
  private var file: GameRecordFile?
  /// The game to continue, at its start; nil if there is none.
  private(set) var open: (replay: GameReplay, seed: UInt64, helper: String?)?

  var isOver: Bool { file != nil && open == nil }

  /// The player of a file is `person`, or `person with PLAYER` if a player has made moves.
  private static let person = "person"
  private static let joint = " with "

  /// Reads the game of a file, if there is one.
  ///
  /// - Parameter rules: the rules of the player, which must be those of the game.
  init(path: String, rules: Rules) throws {
    self.path = path
    guard let file = try KeptGame.read(path) else { return }
    let (names, games) = (file.header.players, file.header.games)
    let parts = names[0].split(separator: KeptGame.joint, maxSplits: 1).map(String.init)
    func mismatch(_ problem: String) -> LocatedError {
      LocatedError(.usage, path: path, problem, remedy: KeptGame.remedy)
    }
    guard names.count == 1, games == 1, parts.first == KeptGame.person else {
      throw mismatch("has recorded games of \(names[0]), not one game that play kept")
    }
    guard file.rules.size == rules.size else {
      throw mismatch(
        "has a game on \(file.rules.size)x\(file.rules.size), not \(rules.size)x\(rules.size)")
    }
    guard file.rules.fourProbability == rules.fourProbability else {
      throw mismatch(
        "has a game with a probability of \(file.rules.fourProbability) for 4s, not \(rules.fourProbability)"
      )
    }
    let replay = try KeptGame.reading(path) { try file.replay(player: 0, game: 0, path: path) }
    var last = replay
    while try last.step() != nil {}
    self.file = file
    if !rules.isOver(last.board) { open = (replay, file.header.seed, parts.dropFirst().first) }
  }

  /// Writes a game, to a new file if another program has written to this one meanwhile.
  ///
  /// - Parameter helper: the name of the last player that made a move for the person; nil if none did.
  mutating func write(
    _ record: GameRecord, score: Int, rules: Rules, seed: UInt64, helper: String?
  ) throws {
    if let now = try KeptGame.read(path), now != file {
      let free = (2...).lazy.map { [path] in "\(path)-\($0)" }
        .first { !FileManager.default.fileExists(atPath: $0) }
      path = free!
    }
    let new = GameRecordFile(
      record, score: score, rules: rules, seed: seed,
      player: KeptGame.person + (helper.map { KeptGame.joint + $0 } ?? ""))
    try createDirectory(at: parentDirectory(of: path))
    try new.write(to: path)
    file = new
  }

  private static let remedy = "remove it, or name another file with --game"

  private static func read(_ path: String) throws -> GameRecordFile? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try reading(path) { try GameRecordFile.read(path) }
  }

  /// Replaces the remedy for a damaged file.
  private static func reading<Result>(_ path: String, _ body: () throws -> Result) throws -> Result
  {
    do {
      return try body()
    } catch let error as LocatedError where error.kind == .unsuitableData {
      throw LocatedError(
        error.kind, path: path, place: error.place, error.problem, remedy: remedy)
    }
  }
}

/// The directory of what lasts from one game in the terminal to the next.
struct StateDirectory: Sendable {
  private let path: String

  /// Finds the directory of a user; nil if there is none.
  ///
  /// - Parameter environment: `XDG_STATE_HOME` is the parent directory if it is an absolute path, otherwise
  ///   `.local/state` in `HOME`.
  init?(environment: [String: String]) {
    func directory(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let state = directory("XDG_STATE_HOME") ?? directory("HOME").map({ $0 + "/.local/state" })
    else { return nil }
    path = "\(state)/learn2048"
  }

  /// Returns the path of a file about games with these rules.
  func file(_ name: String, _ rules: Rules) -> String {
    "\(path)/\(name)-\(rules.text)"
  }
}

/// The file that keeps the best score between games.
///
/// It holds one number. A file that is missing or damaged counts as a score of 0, and the next game replaces it.
struct BestScoreFile: Sendable {
  private let path: String

  /// Creates the file for games with these rules, because scores on smaller boards are lower.
  init(in state: StateDirectory, _ rules: Rules) {
    path = state.file("best-score", rules)
  }

  func read() -> Int {
    guard let data = try? TextFile.read(path) else { return 0 }
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return max(0, Int(text) ?? 0)
  }

  /// Keeps a score if it is better than the one in the file, to which another game may have written.
  func record(_ score: Int) throws {
    guard score > read() else { return }
    try createDirectory(at: parentDirectory(of: path))
    try writeAtomically("\(score)\n".utf8, to: path)
  }
}
