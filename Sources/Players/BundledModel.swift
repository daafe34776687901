import Foundation

/// The bundled model, `Models/default.compact`.
public enum BundledModel {
  /// The path of the bundled model; nil if it is not there.
  public static var path: String? { path(executable: Bundle.main.executablePath) }

  /// The path of the bundled model: under the working directory, or in the package in which the
  /// executable was built; nil if it is in neither.
  ///
  /// An executable lies in the package's `.build/TRIPLE/CONFIGURATION`, or in such a directory of
  /// `.build/baseline`.
  static func path(executable: String?) -> String? {
    let here = ModelsDirectory.path(named: "default.compact")
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
