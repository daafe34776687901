import Basics
import Foundation
import Play

/// Returns the path of a configuration or plan: that of a file, ignoring case, or of the shipped one of this name.
///
/// - Parameter directory: The directory of the shipped ones, such as `Configs`.
func configsPath(_ given: String, kind: String, in directory: String) throws -> String {
  let isName = !given.contains("/")
  if isName, let path = ModelLocator.shippedFile("\(directory)/\(given).json") { return path }
  if let path = PathLookup.find(given) { return path }
  let place = given.hasPrefix("/") ? "" : " in \(FileManager.default.currentDirectoryPath)"
  throw Failure(
    .missingInput,
    "no \(kind) at \(given)\(place)\(isName ? ", and none of this name in \(directory)/" : ""). Check the path."
  )
}

/// Returns a text as a word for a shell, in quotation marks if it needs them.
func shellWord(_ text: String) -> String {
  let isPlain =
    !text.isEmpty
    && text.unicodeScalars.allSatisfy {
      CharacterSet.alphanumerics.contains($0) || "/._-+=:,@%".unicodeScalars.contains($0)
    }
  return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}

/// Throws if a path cannot be written to, before hours of work go into its content.
func requireWritable(_ name: String) throws {
  let manager = FileManager.default
  // Writing replaces the file at the end of links, not a link.
  let path = manager.fileExists(atPath: name) ? resolvedPath(name) : name
  let type = try? manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  if let type, type != .typeRegular, type != .typeSymbolicLink {
    let what = type == .typeDirectory ? "a directory" : "not a regular file"
    throw Failure(.cannotCreate, "\(name): is \(what). Choose another name.")
  }
  guard !StandardOutput.goes(to: path) else {
    throw Failure(
      .cannotCreate, "\(name): standard output goes to this file. Choose another name.")
  }
  let directory = parentDirectory(of: path)
  guard unsafe access(directory, W_OK) == 0 else {
    throw SystemError.last.writing(name, "create files in '\(directory)'")
  }
}

/// Returns the absolute path of a file, with symbolic links resolved.
func resolvedPath(_ path: String) -> String {
  URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
}

func requireMissing(_ path: String, remedy: String) throws {
  guard !FileManager.default.fileExists(atPath: path) else {
    throw Failure(.cannotCreate, "\(path) exists. \(remedy)")
  }
}

func requireFree(_ path: String) throws {
  try requireMissing(path, remedy: "Remove it, or choose another name.")
  try requireWritable(path)
}

func requireFree(_ directory: String, canBeResumed: Bool) throws {
  guard FileManager.default.fileExists(atPath: directory) else { return }
  throw Failure(
    .cannotCreate,
    canBeResumed
      ? "\(directory) exists. Continue it with --resume \(shellWord(directory)), or choose another --run."
      : "\(directory) exists, but has nothing to resume. Remove it, or choose another --run."
  )
}
