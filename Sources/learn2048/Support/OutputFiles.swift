import Arena
import Console
import Foundation
import Game2048
import ModelFiles

/// Refuses a path that could not be written to, before hours of work go into what is to be written.
///
/// - Throws: `Failure`.
func requireWritable(_ path: String) throws {
  let manager = FileManager.default
  var isDirectory: ObjCBool = false
  if unsafe manager.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
    throw Failure(.cannotCreate, "\(path): is a directory; choose another name")
  }
  let type = try? manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  if let type, type != .typeRegular, type != .typeSymbolicLink {
    throw Failure(.cannotCreate, "\(path): is no regular file; choose another name")
  }
  let directory = (path as NSString).deletingLastPathComponent
  guard manager.isWritableFile(atPath: directory.isEmpty ? "." : directory) else {
    throw Failure(
      .cannotCreate,
      "\(path): \(directory.isEmpty ? "this directory" : directory) is no directory that can be "
        + "written to; create it, or choose another")
  }
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
