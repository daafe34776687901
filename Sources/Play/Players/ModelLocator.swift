import Basics
import Foundation
import Game2048
import ModelFiles
import NTupleNetwork
import Synchronization
import Training

/// Finds the files and directories that MODEL texts name.
///
/// A MODEL is a run directory, which stands for its best checkpoint, `RUN@latest` or `RUN@EPISODES`
/// for another checkpoint of a run, or a weight file of any format. A name without a slash is
/// looked up under `Models/` first. `default` is the bundled model.
public enum ModelLocator {
  /// The directory of the program with its ``models``; nil for that of the executable.
  private static let home = Mutex<String?>(nil)

  /// Names the directory of a library, which is in another program's process.
  package static func setHome(_ path: String) { home.withLock { $0 = path } }

  /// The directory of runs and models.
  package static let models = "Models"

  /// Returns the path of a name: a name without a slash is in ``models``, anything else is a path.
  package static func path(named name: String) -> String {
    name.contains("/") ? name : "\(models)/\(name)"
  }

  /// Throws unless the name of a new run or sweep means it in a MODEL text.
  ///
  /// - Throws: `LocatedError`.
  package static func requireOwnMeaning(_ name: String) throws {
    let last = (name as NSString).lastPathComponent
    guard last != "default", !last.contains("@") else {
      let meaning = last == "default" ? "the bundled model" : "a checkpoint"
      throw LocatedError(
        .usage, path: name, "is a name for \(meaning)", remedy: "choose another name with --run")
    }
  }

  /// Returns the path of the weight file of a MODEL text.
  ///
  /// - Throws: `LocatedError` if there is none.
  public static func find(_ text: String) throws -> String {
    if let path = existing(text) { return try weightFile(at: path, .best) }
    if let separator = text.lastIndex(of: "@"), let path = existing(String(text[..<separator])) {
      guard PathLookup.isDirectory(path) else {
        throw LocatedError(
          .usage, path: text, "\(path) is a weight file, not a run with checkpoints",
          remedy: "remove \(text[separator...])")
      }
      return try weightFile(
        at: path, checkpointName(String(text[text.index(after: separator)...]), of: text))
    }
    if (try? PlayerSpecification(text)) != nil {
      throw LocatedError(
        .usage, path: text, "is a player, not a model",
        remedy: "name it with --player, or in evaluate with --against")
    }
    throw LocatedError(
      .missingInput, path: text, "no such model in \(places(of: text))",
      remedy: "name a run directory or a weight file; \(knownRuns)")
  }

  /// The model of commands that name none; nil if there is none.
  ///
  /// It is the bundled model, so that a command means the same model whatever has been trained
  /// meanwhile. Without that, it is the newest run under `Models/`, of which `onSubstitute` learns.
  public static var defaultModel: String? {
    if let bundled = bundledModel(executable: Bundle.main.executablePath) { return bundled }
    guard let newestRun else { return nil }
    let tell = substitution.withLock { tell in
      defer { tell = nil }
      return tell
    }
    tell?(newestRun)
    return newestRun
  }

  private static let substitution = Mutex<(@Sendable (_ run: String) -> Void)?>(nil)

  /// Sets what is called when a run first takes the place of the bundled model.
  package static func onSubstitute(_ tell: @escaping @Sendable (_ run: String) -> Void) {
    substitution.withLock { $0 = tell }
  }

  /// Returns what `read` makes of the file that a MODEL text names.
  ///
  /// A run in training may remove the checkpoint between the look-up and the reading, when a newer one is in place. Then
  /// this looks again.
  ///
  /// - Throws: `LocatedError` if there is no such model; the errors of `read`.
  package static func reading<Result>(
    _ text: String, _ read: (_ path: String) throws -> Result
  ) throws -> Result {
    var path = try find(text)
    while true {
      do {
        return try read(path)
      } catch let error as LocatedError where error.kind == .missingInput {
        let now = try find(text)
        guard now != path else { throw error }
        path = now
      }
    }
  }

  /// Returns whether a MODEL text is the path of the bundled model.
  package static func isBundled(_ text: String) -> Bool {
    text == bundledModel(executable: Bundle.main.executablePath)
  }

  static func bundledModel(executable: String?) -> String? {
    shippedFile(path(named: "default.compact"), executable: executable)
  }

  /// Returns the path of a file of the repository: under the working directory, beside the program, or in the package in
  /// which the executable was built; nil if it is in none of them.
  ///
  /// An executable lies in the package's `.build/TRIPLE/CONFIGURATION`, or in such a directory of
  /// `.build/baseline`.
  package static func shippedFile(
    _ here: String, executable: String? = Bundle.main.executablePath
  ) -> String? {
    if FileManager.default.fileExists(atPath: here) { return here }
    let program = executable.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath() }
    if let home = home.withLock(\.self) ?? program?.deletingLastPathComponent().path {
      let path = "\(home)/\(here)"
      if FileManager.default.fileExists(atPath: path) { return path }
    }
    guard var directory = program else { return nil }
    for _ in 0..<3 { directory.deleteLastPathComponent() }
    if directory.lastPathComponent == "baseline" { directory.deleteLastPathComponent() }
    guard directory.lastPathComponent == ".build" else { return nil }
    let path = directory.deletingLastPathComponent().appendingPathComponent(here).path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// Returns the model of commands that name none.
  ///
  /// - Throws: `LocatedError` if there is none.
  public static func requireDefaultModel() throws -> String {
    guard let defaultModel else {
      throw LocatedError(
        .missingInput, path: models, "has no model, and the command names none",
        remedy: "name a model, or train one with learn2048 train --config quick")
    }
    return defaultModel
  }

  /// Returns the run of a text `RUN@all`; nil for another text, or if a file has that name.
  package static func runOfAll(_ text: String) -> String? {
    guard text.hasSuffix("@all"), existing(text) == nil else { return nil }
    return String(text.dropLast("@all".count))
  }

  /// Returns the episodes of a run's checkpoints in ascending order.
  ///
  /// - Throws: `LocatedError` if there are none.
  package static func checkpoints(of run: String) throws -> [Int] {
    let directory = RunDirectory(path: try runDirectory(run)).checkpoints
    let episodes = try directory.checkpoints().map(\.episodes)
    if episodes.isEmpty { _ = try directory.checkpoint(.latest) }
    return Array(Set(episodes)).sorted()
  }

  /// Returns the directory that a text without `@` names; nil if it names something else.
  package static func directory(_ text: String) -> RunDirectory? {
    existing(text).flatMap { PathLookup.isDirectory($0) ? RunDirectory(path: $0) : nil }
  }

  /// Returns the path of a run directory.
  ///
  /// - Throws: `LocatedError` if there is none.
  package static func runDirectory(_ text: String) throws -> String {
    guard let path = existing(text), RunDirectory(path: path).exists else {
      throw LocatedError(
        .missingInput, path: text, "no such run in \(places(of: text))",
        remedy: "name a run directory; \(knownRuns)")
    }
    return path
  }

  /// The name of the run under `Models/` that was saved last; nil if none was.
  private static var newestRun: String? {
    runs.compactMap { run -> (String, Date)? in
      let date =
        try? FileManager.default.attributesOfItem(atPath: run.checkpoints.statePath)[
          .modificationDate] as? Date
      return date.map { (run.name, $0) }
    }.max { $0.1 < $1.1 }?.0
  }

  /// The runs under `Models/`, in the order of their names.
  package static var runs: [RunDirectory] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: models)) ?? []
    return names.sorted().map { RunDirectory(path: path(named: $0)) }
      .filter(\.exists)
  }

  private static var knownRuns: String {
    runs.isEmpty
      ? "Models/ has no runs yet: start one with learn2048 train --config quick"
      : "runs in Models/: " + runs.map(\.name).joined(separator: ", ")
  }

  /// Returns the directories in which ``existing(_:)`` looks, as a text for messages.
  private static func places(of text: String) -> String {
    if text.hasPrefix("/") { return "/" }
    let directory = FileManager.default.currentDirectoryPath
    return text.contains("/") ? directory : "\(directory)/\(models) or \(directory)"
  }

  /// Returns the path of the file or directory that a text without `@` names, under `Models/`
  /// first; nil if there is none.
  ///
  /// If nothing is called `default`, that is the bundled model.
  package static func existing(_ text: String) -> String? {
    PathLookup.find(path(named: text)) ?? PathLookup.find(text)
      ?? (text == "default" ? bundledModel(executable: Bundle.main.executablePath) : nil)
  }

  private static func weightFile(at path: String, _ name: CheckpointName) throws -> String {
    guard PathLookup.isDirectory(path) else { return path }
    return try RunDirectory(path: path).checkpoints.checkpoint(name).path
  }

  private static func checkpointName(_ text: String, of model: String) throws -> CheckpointName {
    switch text {
    case "latest": return .latest
    case "best": return .best
    default:
      guard let episodes = try? Count(parsing: text).value else {
        throw LocatedError(
          .usage, path: model, "no such checkpoint",
          remedy: "after @, write latest, best or the episodes of a checkpoint"
            + (text == "all" ? "; @all is for evaluate" : ""))
      }
      return .episodes(episodes)
    }
  }
}
