import Arena
import Console
import Foundation
import Game2048

/// Throws if a path cannot be written to, before hours of work go into its content.
///
/// - Throws: `Failure`.
func requireWritable(_ name: String) throws {
  let manager = FileManager.default
  // Writing replaces the file at the end of links, not a link.
  let path = manager.fileExists(atPath: name) ? resolvedPath(name) : name
  var isDirectory: ObjCBool = false
  if unsafe manager.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
    throw Failure(.cannotCreate, "\(name): is a directory. Choose another name.")
  }
  let type = try? manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  if let type, type != .typeRegular, type != .typeSymbolicLink {
    throw Failure(.cannotCreate, "\(name): is not a regular file. Choose another name.")
  }
  guard !StandardOutput.goes(to: path) else {
    throw Failure(
      .cannotCreate, "\(name): standard output goes to this file. Choose another name.")
  }
  let directory = (path as NSString).deletingLastPathComponent
  guard manager.isWritableFile(atPath: directory.isEmpty ? "." : directory) else {
    throw Failure(
      .cannotCreate,
      "\(name): cannot write to directory '\(directory.isEmpty ? "." : directory)'. Create it, or choose "
        + "another.")
  }
}

/// Returns the absolute path of a file, with symbolic links resolved.
func resolvedPath(_ path: String) -> String {
  URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
}

/// Throws if a path exists or cannot be written to.
///
/// - Throws: `Failure`.
func requireFree(_ path: String) throws {
  guard !FileManager.default.fileExists(atPath: path) else {
    throw Failure(.cannotCreate, "\(path) exists. Remove it, or choose another name.")
  }
  try requireWritable(path)
}

/// Throws if the directory of a new run or sweep exists.
///
/// - Throws: `Failure`.
func requireFree(_ directory: String, canBeResumed: Bool) throws {
  guard FileManager.default.fileExists(atPath: directory) else { return }
  throw Failure(
    .cannotCreate,
    canBeResumed
      ? "\(directory) exists. Continue it with --resume \(directory), or choose another --run."
      : "\(directory) exists, but has nothing to resume. Remove it, or choose another --run."
  )
}

extension GameRecordFile {
  /// Creates the file content for the games of an arena.
  ///
  /// - Precondition: the arena recorded its games.
  init(_ result: ArenaResult, rules: Rules) {
    self.init(
      header: Header(
        boardSize: rules.size, fourProbability: rules.fourProbability, seed: result.seed,
        players: result.contestants, games: result.games),
      entries: result.results.map { games in
        games.map { Entry(score: $0.score, record: $0.record!) }
      })
  }
}
