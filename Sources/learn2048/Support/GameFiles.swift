import Arena
import Basics
import Console
import Foundation
import Game2048
import Synchronization

/// The files of `evaluate` with its games: those of `--csv` and `--record`.
final class GameFiles: Sendable {
  private let table: String?
  private let record: String?
  private let hasWarned = Atomic<Bool>(false)

  /// Whether no file was asked for.
  var isEmpty: Bool { table == nil && record == nil }

  init(table: String?, record: String?) {
    (self.table, self.record) = (table, record)
  }

  /// Returns the games that the files have; nil if there is no table of games.
  ///
  /// - Throws: `LocatedError` if a file cannot be used, or the two have different games.
  func read() throws -> EarlierGames? {
    guard let table, FileManager.default.fileExists(atPath: table) else { return nil }
    var games = try EarlierGames(path: table)
    if let record { try games.addMoves(from: GameRecordFile.read(record), path: record) }
    return games
  }

  /// Writes the files, each even if the other cannot be written.
  ///
  /// - Throws: `LocatedError` if one of them cannot be written.
  func write(_ result: ArenaResult, rules: Rules) throws {
    // A table without the moves of its games can be continued, but not a record without its table.
    let writing = Result {
      if let record { try GameRecordFile(result, rules: rules).write(to: record) }
    }
    if let table { try writeAtomically(result.csv.utf8, to: table) }
    try writing.get()
  }

  /// Writes the games so far. If that fails, warns the first time, because the games go on.
  func save(_ result: ArenaResult, rules: Rules) {
    do {
      try write(result, rules: rules)
    } catch {
      guard !hasWarned.exchange(true, ordering: .relaxed) else { return }
      let reason = Failure(error)?.message ?? "\(error)"
      StandardError.shared.line("warning: the games so far could not be saved. \(reason)")
    }
  }
}
