import Basics
import Foundation
import Game2048
import Play
import Synchronization

/// The files of `evaluate` with its games: those of `--csv` and `--record`.
final class GameFiles: Sendable {
  private struct State {
    /// All games of the file of `--csv`: those that it had, and those played since; nil without any.
    var table: GameTable?
    /// The file of `--record` that is replaced; nil if there is none. Its games are kept.
    var formerRecord: GameRecordFile?
    var hasWarned = false
  }

  private let csv: String?
  private let record: String?
  private let seed: UInt64
  /// Keep other processes from replacing the files.
  private let locks: [LockFile]
  private let state = Mutex(State())

  /// Whether no file was asked for.
  var isEmpty: Bool { csv == nil && record == nil }

  /// Whether there is a game to write. Otherwise the files of an earlier evaluation are kept.
  var hasGames: Bool { state.withLock { $0.table?.end ?? 0 > 0 } }

  /// - Parameter resumes: Whether the files may exist.
  init(csv: String?, record: String?, seed: UInt64, resumes: Bool) throws {
    (self.csv, self.record, self.seed) = (csv, record, seed)
    let paths = [csv, record].compactMap(\.self)
    locks = try paths.map { path in
      try requireWritable(path)
      return try LockFile(path: LockFile.path(for: resolvedPath(path)), for: path)
    }
    if resumes { return }
    for path in paths {
      try requireMissing(
        path,
        remedy: "Add --resume to play only the games that it does not have, or choose another name."
      )
    }
  }

  /// Reads the games of an evaluation to resume; nil if there is none yet.
  ///
  /// One of the files may be missing: a kill or a full disk may have come before it was written. The games that are not
  /// in both are played again, and those of the record stay.
  ///
  /// - Returns: The games, if they are recorded those whose moves the record has.
  func read() throws -> GameTable? {
    guard let csv else { return nil }
    func existing(_ path: String?) -> String? {
      path.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }
    let recorded = try existing(record).map(GameRecordFile.read)
    let written = try existing(csv).map(GameTable.init(path:))
    guard
      let table = written ?? recorded.map({ GameTable(seed: $0.header.seed, rules: $0.rules) })
    else { return nil }
    guard table.seed == seed else {
      throw Failure(
        .usage,
        "\(written == nil ? record! : csv) has games of seed \(table.seed). Resume with --seed \(table.seed)."
      )
    }
    state.withLock { ($0.table, $0.formerRecord) = (table, recorded) }
    guard let record else { return table }
    for (file, path) in [(written == nil, csv), (recorded == nil, record)] where file {
      StandardError.shared.line(
        "learn2048: \(path) is missing, so the games that only the other file has are played again")
    }
    return try table.withMoves(of: recorded, path: record, ownPath: csv)
  }

  /// Notes the games so far of the players that play now.
  func note(_ games: GameTable) {
    state.withLock { state in
      if state.table == nil { state.table = GameTable(seed: seed, rules: games.rules) }
      state.table!.add(games)
    }
  }

  /// Notes the games so far, and writes all. If that fails, warns the first time, because the games continue.
  func save(_ games: GameTable) {
    note(games)
    do {
      try write()
    } catch {
      let isFirst = state.withLock { state in
        defer { state.hasWarned = true }
        return !state.hasWarned
      }
      guard isFirst else { return }
      StandardError.shared.line(
        "warning: the games so far could not be saved. \(Failure(error).message)")
    }
  }

  /// Writes all games, to each file even if the other cannot be written.
  func write() throws {
    let (table, former) = state.withLock { ($0.table, $0.formerRecord) }
    guard let table else { return }
    let recording = Result {
      if let record { try GameRecordFile(table, keeping: former).write(to: record) }
    }
    if let csv { try table.write(to: csv) }
    try recording.get()
  }
}

/// What `review` and `replay` are about: a game of a file of recorded games, or the only game of another file.
enum GameSource {
  case recorded(GameRecordFile, GameReplay, path: String, title: String)
  case single(Data, name: String)

  /// - Parameter options: The options that are for recorded games, with their values.
  init(
    readingFrom file: String, game: Int?, player: String?, options: KeyValuePairs<String, Any?>
  ) throws {
    guard try file != "-" && GameRecordFile.isRecord(file) else {
      let content = try BoardText.content(of: file)
      if let option = firstGiven(options) {
        throw Failure(
          .usage, "\(option) is for recorded games, and \(file) has boards. Leave it out.")
      }
      self = .single(content, name: BoardText.name(of: file))
      return
    }
    let games = try GameRecordFile.read(file)
    let (player, index) = try games.place(ofGame: game ?? 1, player: player, path: file)
    self = .recorded(
      games, try games.replay(player: player, game: index, path: file), path: file,
      title: "\(games.header.players[player]), game \(NumberText.grouped(index + 1)) of "
        + "\(NumberText.grouped(games.entries[player].count)), seed \(games.header.seed)")
  }

  /// The title of a replay.
  var title: String {
    switch self {
    case .recorded(_, _, _, let title): title
    case .single(_, let name): name
    }
  }

  /// Returns the game.
  ///
  /// - Parameters:
  ///   - modelRules: The rules of the reviewing model if there is one.
  ///   - asExponents: Whether rows of values are exponents and not tiles.
  func game(modelRules: Rules? = nil, asExponents: Bool) throws -> PlayedGame {
    switch self {
    case .recorded(let games, let replay, let path, _):
      if let modelRules { try games.require(modelRules, path: path) }
      return try PlayedGame(replay)
    case .single(let content, let name):
      return try PlayedGame(
        reading: content, name: name, rules: modelRules, asExponents: asExponents)
    }
  }
}

extension GameRecordFile {
  /// Checks that a model plays on the board of the games.
  func require(_ modelRules: Rules, path: String) throws {
    let (size, own) = (rules.size, modelRules.size)
    guard size == own else {
      throw Failure(
        .usage,
        "\(path): the games were played on \(size)x\(size), but the model plays on \(own)x\(own). Choose a "
          + "model for \(size)x\(size) with --model.")
    }
  }
}
