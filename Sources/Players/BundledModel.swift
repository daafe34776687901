import Basics
import Foundation

/// The model that plays where none is named.
package enum BundledModel {
  /// The name of the model that ships, under `Models/`.
  package static let shippedName = "default.compact"

  /// The model that ships, or the run under `Models/` that was saved last; nil if there is neither.
  ///
  /// The one that ships comes first, so that the same command means the same model whatever has been
  /// trained meanwhile.
  package static var name: String? {
    shipped(executable: Bundle.main.executablePath) ?? ModelLocator.newestRun
  }

  /// The same.
  ///
  /// - Throws: ```LocatedError``` that says how to get one, if there is none.
  package static func required() throws -> String {
    guard let name else {
      throw LocatedError(
        .missingInput, path: ModelsDirectory.path, "has no model, and the command names none",
        remedy: "name one, or train one with learn2048 train --config Configs/quick.json")
    }
    return name
  }

  /// The path of the model that ships: under the working directory, else in the package that the
  /// executable was built in, which lies in its `.build/TRIPLE/CONFIGURATION`, or in such a directory of
  /// `.build/baseline`.
  package static func shipped(executable: String?) -> String? {
    let here = ModelsDirectory.path(named: shippedName)
    if FileManager.default.fileExists(atPath: here) { return here }
    guard let executable else { return nil }
    var directory = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
    for _ in 0..<3 { directory.deleteLastPathComponent() }
    if directory.lastPathComponent == "baseline" { directory.deleteLastPathComponent() }
    guard directory.lastPathComponent == ".build" else { return nil }
    let path = directory.deletingLastPathComponent().appendingPathComponent(here).path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }
}
