import ArgumentParser
import Basics
import Foundation
import Play
import Training

extension CompletionKind {
  /// Returns the completion of a value by its name in the help; nil if the shell has none.
  static func named(_ valueName: String) -> CompletionKind? {
    switch valueName {
    case "file": .file()
    case "dir": .directory
    case "model": .models
    case "run": .runs
    case "player": .list(PlayerKind.allCases.map(\.name))
    case "key=value": .list(ConfigurationKey.all.map(\.path))
    default: nil
    }
  }

  /// The completion of a run: the names of the runs in `Models/`, and directories.
  static let runs = custom { _, _, typed in
    candidates(ModelLocator.runs.map(\.name), typed: typed, files: { _ in false })
  }

  /// The completion of a MODEL: the bundled model, the names of the runs in `Models/`, and paths of weight files.
  static let models = custom { _, _, typed in
    candidates(
      ["default"] + ModelLocator.runs.map(\.name), typed: typed,
      files: { ["compact", "safetensors", "w"].contains(($0 as NSString).pathExtension) })
  }

  /// Returns the names and paths that begin with a text. If the only match is a directory, returns its contents
  /// instead, because zsh would put a space after it.
  ///
  /// The scripts of some shells would expand special characters. Names with such characters are left out.
  ///
  /// - Parameter files: Whether the path of a file is a candidate. Directories always are.
  private static func candidates(
    _ names: [String], typed: String, files: (_ path: String) -> Bool
  ) -> [String] {
    let directory = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let expanded = (directory as NSString).expandingTildeInPath
    let contents =
      (try? FileManager.default.contentsOfDirectory(atPath: expanded.isEmpty ? "." : expanded))
      ?? []
    let start = typed.dropFirst(directory.count)
    let found = contents.filter {
      $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix("."))
    }
    let paths = found.sorted().compactMap { name in
      let path = (expanded as NSString).appendingPathComponent(name)
      if PathLookup.isDirectory(path) { return directory + name + "/" }
      return files(path) ? directory + name : nil
    }
    let matches = (names + paths).filter { $0.hasPrefix(typed) && shellWord($0) == $0 }
    if matches.count == 1, matches[0].hasSuffix("/") {
      let inside = candidates([], typed: matches[0], files: files)
      if !inside.isEmpty { return inside }
    }
    // Bash adds the slash of a directory.
    return CompletionShell.requesting == .bash
      ? matches.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } : matches
  }
}
