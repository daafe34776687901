import Arena
import Console
import Foundation
import Game2048

/// Refuses a path that could not be written to, before hours of work go into what is to be written.
///
/// - Throws: `Failure`.
func requireWritable(_ name: String) throws {
  let manager = FileManager.default
  // What is written replaces the file at the end of links, not a link.
  let path = manager.fileExists(atPath: name) ? resolvedPath(name) : name
  var isDirectory: ObjCBool = false
  if unsafe manager.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
    throw Failure(.cannotCreate, "\(name): is a directory; choose another name")
  }
  let type = try? manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  if let type, type != .typeRegular, type != .typeSymbolicLink {
    throw Failure(.cannotCreate, "\(name): is no regular file; choose another name")
  }
  guard !StandardOutput.goes(to: path) else {
    throw Failure(
      .cannotCreate, "\(name): is where standard output goes; choose another name")
  }
  let directory = (path as NSString).deletingLastPathComponent
  guard manager.isWritableFile(atPath: directory.isEmpty ? "." : directory) else {
    throw Failure(
      .cannotCreate,
      "\(name): \(directory.isEmpty ? "this directory" : directory) is no directory that can be "
        + "written to; create it, or choose another")
  }
}

/// The absolute path of a file, with symbolic links resolved.
func resolvedPath(_ path: String) -> String {
  URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
}

/// Refuses a path that is taken, or that could not be written to.
///
/// - Throws: `Failure`.
func requireFree(_ path: String) throws {
  guard !FileManager.default.fileExists(atPath: path) else {
    throw Failure(.cannotCreate, "\(path) exists; remove it, or choose another name")
  }
  try requireWritable(path)
}

/// Refuses the directory of a new run or sweep if it is taken, by one or by anything else.
///
/// - Throws: `Failure`.
func requireFree(_ directory: String, canBeResumed: Bool) throws {
  guard FileManager.default.fileExists(atPath: directory) else { return }
  throw Failure(
    .cannotCreate,
    canBeResumed
      ? "\(directory) exists; continue it with --resume \(directory), or choose another --run"
      : "\(directory) exists, and there is nothing to resume in it: remove it, or choose another --run"
  )
}

extension GameRecordFile {
  /// The recorded games of an arena.
  ///
  /// - Precondition: they were recorded.
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
