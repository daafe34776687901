import Basics
import EndgameTables
import Game2048

/// The endgame tables of players, each directory opened once.
public struct OpenedTables: Sendable {
  private struct Directory: Hashable {
    let path: String
    let target: TableShape.Target
  }

  private var opened: [Directory: [EndgameTable]] = [:]

  public init() {}

  /// Opens the tables of a player.
  ///
  /// - Throws: `LocatedError` if they cannot be read.
  mutating func open(for player: PlayerSpecification) throws {
    for (path, target) in [
      (player.tables, TableShape.Target.tile), (player.endgame, .chain),
    ] {
      guard let path else { continue }
      opened[Directory(path: path, target: target)] = try tables(in: path, target)
    }
  }

  /// Returns the tables of a directory, which are opened if they were not; nil without a directory.
  ///
  /// - Throws: `LocatedError` if they cannot be read, or were built for other rules.
  func tables(
    in path: String?, _ target: TableShape.Target, for rules: Rules
  ) throws -> [EndgameTable]? {
    guard let path else { return nil }
    let tables = try tables(in: path, target)
    guard rules.size == 4,
      tables.allSatisfy({ $0.shape.fourProbability == rules.fourProbability })
    else {
      throw LocatedError(
        .usage, path: path,
        "has tables for 4x4 boards and another probability of 4s than the player's "
          + "\(rules.fourProbability) on \(rules.size)x\(rules.size)",
        remedy: "leave them out")
    }
    return tables
  }

  private func tables(in path: String, _ target: TableShape.Target) throws -> [EndgameTable] {
    try opened[Directory(path: path, target: target)]
      ?? EndgameTable.all(in: path, target: target)
  }
}
