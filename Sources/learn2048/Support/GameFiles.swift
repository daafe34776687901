import Arena
import Basics
import Console
import Foundation
import Game2048
import Synchronization

/// The files of `evaluate` with its games: those of `--csv` and `--record`.
final class GameFiles: Sendable {
  private struct State {
    /// All games of the file of `--csv`: those that it had, and those played since.
    var table: GameTable
    var hasWarned = false
  }

  private let csv: String?
  private let record: String?
  private let state: Mutex<State>

  /// Whether no file was asked for.
  var isEmpty: Bool { csv == nil && record == nil }

  /// Whether there is a game to write. Otherwise the files of an earlier evaluation are kept.
  var hasGames: Bool { state.withLock { $0.table.end > 0 } }

  init(csv: String?, record: String?, seed: UInt64) {
    (self.csv, self.record) = (csv, record)
    state = Mutex(State(table: GameTable(seed: seed)))
  }

  /// Reads the games of an evaluation to resume; nil if there is none yet.
  ///
  /// - Returns: The games, if they are recorded those whose moves the record has.
  /// - Throws: `LocatedError` or `Failure` if a file cannot be used, or the two have different games.
  func read() throws -> GameTable? {
    guard let csv else { return nil }
    guard FileManager.default.fileExists(atPath: csv) else {
      guard let record, FileManager.default.fileExists(atPath: record) else { return nil }
      throw Failure(
        .missingInput,
        "\(record) exists, and \(csv) does not. Name the files of one evaluation, or new ones.")
    }
    let table = try GameTable(path: csv)
    let seed = state.withLock(\.table.seed)
    guard table.seed == seed else {
      throw Failure(
        .usage, "\(csv) has games of seed \(table.seed). Resume with --seed \(table.seed).")
    }
    state.withLock { $0.table = table }
    guard let record else { return table }
    guard FileManager.default.fileExists(atPath: record) else {
      throw Failure(
        .missingInput,
        "\(record) does not exist, so the moves of the games in \(csv) are unknown. Leave out --record, or name "
          + "the file of their moves.")
    }
    return try table.withMoves(of: .read(record), path: record, ownPath: csv)
  }

  /// Notes the games so far of the players that play now.
  func note(_ games: GameTable) { state.withLock { $0.table.add(games) } }

  /// Notes the games so far, and writes all. If that fails, warns the first time, because the games go on.
  ///
  /// - Parameter rules: The rules for the record; nil if it is written at the end only.
  func save(_ games: GameTable, rules: Rules?) {
    note(games)
    do {
      try write(state.withLock(\.table), rules.map { GameRecordFile(games, rules: $0) })
    } catch {
      let isFirst = state.withLock { state in
        defer { state.hasWarned = true }
        return !state.hasWarned
      }
      guard isFirst else { return }
      let reason = Failure(error)?.message ?? "\(error)"
      StandardError.shared.line("warning: the games so far could not be saved. \(reason)")
    }
  }

  /// Writes all games, and records those that all players have played.
  ///
  /// - Throws: `LocatedError` if a file cannot be written.
  func finish(_ result: ArenaResult, rules: Rules) throws {
    let isRecorded = record != nil && result.games > 0
    try write(state.withLock(\.table), isRecorded ? GameRecordFile(result, rules: rules) : nil)
  }

  /// Writes the files, each even if the other cannot be written.
  private func write(_ table: GameTable, _ games: @autoclosure () -> GameRecordFile?) throws {
    let recording = Result { if let record { try games()?.write(to: record) } }
    if let csv { try table.write(to: csv) }
    try recording.get()
  }
}
