import Foundation
import Synchronization
import TestSupport
import Testing

/// The executable under test, which was built together with the tests.
enum Executable {
  /// Its path.
  ///
  /// - Throws: ``NotFound`` with the directories searched.
  static func path() throws -> String {
    #if DEBUG
      // It would report this on standard error, which these tests compare, and use the repository's model.
      throw OptimisedBuildNeeded()
    #else
      try found.get()
    #endif
  }

  struct OptimisedBuildNeeded: Error, CustomStringConvertible {
    let description = "these tests are of the optimised build: run scripts/test"
  }

  struct NotFound: Error, CustomStringConvertible {
    let places: [String]
    var description: String {
      "cannot find learn2048 next to the tests, in " + places.joined(separator: ", ")
        + "; scripts/test builds both"
    }
  }

  /// The directory of the copy, which is removed at the end.
  private static let directory = Mutex<TemporaryDirectory?>(nil)

  /// Looked up once, before the working directory changes.
  private static let found: Result<String, any Error> = {
    let places = directories
    for place in places {
      let path = place + "/learn2048"
      var isDirectory: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
        !isDirectory.boolValue, FileManager.default.isExecutableFile(atPath: path)
      {
        return Result {
          // Next to the repository's build it would find the bundled model, which tests do without.
          let elsewhere = try TemporaryDirectory()
          directory.withLock { $0 = elsewhere }
          atexit { Executable.directory.withLock { $0 = nil } }
          let copy = elsewhere.file("learn2048")
          try FileManager.default.copyItem(atPath: path, toPath: copy)
          return copy
        }
      }
    }
    return .failure(NotFound(places: places))
  }()

  /// The directories of the test program and bundle, and those above them. On Linux the test program is in
  /// the directory of the executable; on macOS a bundle with subdirectories is.
  private static var directories: [String] {
    var starts = [Bundle.main.executablePath, CommandLine.arguments.first].compactMap { $0 }
    let arguments = CommandLine.arguments
    if let option = arguments.firstIndex(of: "--test-bundle-path"), option + 1 < arguments.count {
      starts.append(arguments[option + 1])
    }
    var directories: [String] = []
    for start in starts {
      var url = URL(fileURLWithPath: start).standardizedFileURL.resolvingSymlinksInPath()
      for _ in 0..<4 {
        url.deleteLastPathComponent()
        if !directories.contains(url.path) { directories.append(url.path) }
      }
    }
    return directories
  }
}
