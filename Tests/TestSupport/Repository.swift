import Foundation

/// The files of the repository, for tests of what ships.
public enum Repository {
  /// The repository's directory.
  public static let directory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the location of a file by its path in the repository.
  public static func file(_ path: String) -> URL { directory.appendingPathComponent(path) }
}
