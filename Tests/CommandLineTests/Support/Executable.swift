import Foundation
import Testing

/// The executable under test: the one that was built along with the tests.
enum Executable {
  /// Its path.
  ///
  /// - Throws: ``NotFound`` with the places where it is not.
  static func path() throws -> String {
    #if DEBUG
      // It says so on standard error, which these tests compare, and takes the model of the repository.
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
      "there is no learn2048 beside the tests, in " + places.joined(separator: ", ")
        + "; scripts/test builds both"
    }
  }

  /// Looked up once, while the working directory is the one that relative paths refer to.
  private static let found: Result<String, NotFound> = {
    let places = directories
    for place in places {
      let path = place + "/learn2048"
      var isDirectory: ObjCBool = false
      if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
        !isDirectory.boolValue, FileManager.default.isExecutableFile(atPath: path)
      {
        return .success(path)
      }
    }
    return .failure(NotFound(places: places))
  }()

  /// The directories of the test program and bundle, and those above them: on Linux the program lies
  /// beside the executable, on macOS a bundle with directories of its own does.
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
