import Basics
import Checkpoints
import Foundation

/// Finds the weight file that a MODEL argument means.
///
/// MODEL is a run directory (its best checkpoint, or `DIR@latest`, `DIR@EPISODES`), or a weight file,
/// TDL2048+'s `.w` files included.
/// A name without a slash is looked up under `Models/`.
package enum ModelLocator {
  /// The path of the weight file.
  ///
  /// - Throws: ```LocatedError``` if there is none.
  package static func find(_ text: String) throws -> String {
    if let path = existing(text) { return try weightFile(at: path, .best) }
    if let separator = text.lastIndex(of: "@"), let path = existing(String(text[..<separator])) {
      guard isDirectory(path) else {
        throw LocatedError(
          .usage, path: text, "\(path) is a weight file, not a run with checkpoints",
          remedy: "leave out \(text[separator...])")
      }
      return try weightFile(
        at: path, checkpointName(String(text[text.index(after: separator)...]), of: text))
    }
    throw LocatedError(
      .missingInput, path: text, "no such model",
      remedy: "name a run directory or a weight file; "
        + (known.isEmpty
          ? "Models/ has no runs yet" : "runs in Models/: " + known.joined(separator: ", ")))
  }

  /// The run of a text `RUN@all`; nil if it is no such text, or a file has that name.
  package static func runOfAll(_ text: String) -> String? {
    guard text.hasSuffix("@all"), existing(text) == nil else { return nil }
    return String(text.dropLast("@all".count))
  }

  /// The episodes of a run's checkpoints, fewest first.
  ///
  /// - Throws: ```LocatedError``` if there are none.
  package static func checkpoints(of run: String) throws -> [Int] {
    let directory = RunDirectory(path: try runDirectory(run)).checkpoints
    let episodes = try directory.checkpoints().map(\.episodes)
    if episodes.isEmpty { _ = try directory.checkpoint(.latest) }
    return Array(Set(episodes)).sorted()
  }

  /// The directory that a text names without an `@`; nil if it names anything else.
  package static func directory(_ text: String) -> RunDirectory? {
    existing(text).flatMap { isDirectory($0) ? RunDirectory(path: $0) : nil }
  }

  /// The path of a run directory.
  package static func runDirectory(_ text: String) throws -> String {
    guard let path = existing(text), RunDirectory(path: path).exists else {
      throw LocatedError(
        .missingInput, path: text, "no such run",
        remedy: known.isEmpty
          ? "Models/ has no runs yet: start one with learn2048 train --config Configs/quick.json"
          : "name one of the runs in Models/: " + known.joined(separator: ", "))
    }
    return path
  }

  /// The run under `Models/` that was saved last, if there is one.
  package static var newestRun: String? {
    runs.compactMap { run -> (String, Date)? in
      let date =
        try? FileManager.default.attributesOfItem(atPath: run.checkpoints.statePath)[
          .modificationDate] as? Date
      return date.map { (run.name, $0) }
    }.max { $0.1 < $1.1 }?.0
  }

  /// The runs under `Models/`, by name.
  package static var runs: [RunDirectory] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: ModelsDirectory.path)) ?? []
    return names.sorted().map { RunDirectory(path: ModelsDirectory.path(named: $0)) }
      .filter(\.exists)
  }

  private static var known: [String] { runs.map(\.name) }

  /// The path of the file or directory that a text names without an `@`, under `Models/` first; nil
  /// if there is none.
  package static func existing(_ text: String) -> String? {
    PathLookup.find(ModelsDirectory.path(named: text)) ?? PathLookup.find(text)
  }

  private static func weightFile(at path: String, _ name: CheckpointName) throws -> String {
    guard isDirectory(path) else { return path }
    return try RunDirectory(path: path).checkpoints.checkpoint(name).path
  }

  private static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    _ = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    return isDirectory.boolValue
  }

  private static func checkpointName(_ text: String, of model: String) throws -> CheckpointName {
    switch text {
    case "latest": return .latest
    case "best": return .best
    default:
      guard let episodes = try? Count(parsing: text).value else {
        throw LocatedError(
          .usage, path: model, "no such checkpoint",
          remedy: "after @, write latest, best, or the episodes of a checkpoint"
            + (text == "all" ? "; @all is for evaluate" : ""))
      }
      return .episodes(episodes)
    }
  }
}
