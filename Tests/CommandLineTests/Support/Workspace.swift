import Foundation
import TestSupport

/// A working directory of its own for a test, with the configurations of the repository.
final class Workspace {
  let directory: TemporaryDirectory

  /// The smallest training that still learns: two patterns of three cells, one thread, nothing saved
  /// but at the end.
  static let tinyConfiguration = """
    {
      "episodes": 300, "threads": 1, "seed": 7,
      "network": {"patterns": ["012", "456"]},
      "report": {"everyEpisodes": 100},
      "checkpoint": {"everySeconds": 0}
    }
    """

  /// The repository that these tests belong to.
  static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("Configs"),
      withDestinationPath: Workspace.repository.appendingPathComponent("Configs").path)
    try write(Workspace.tinyConfiguration, "tiny.json")
  }

  /// The path of a file.
  func path(_ name: String) -> String { directory.file(name) }

  func write(_ text: String, _ name: String) throws {
    try directory.write(Array(text.utf8), name)
  }

  func text(_ name: String) throws -> String {
    String(decoding: try directory.bytes(name), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// The names in a subdirectory, sorted; none if it is not there.
  func names(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
  }

  // MARK: The program

  /// The variables of the program: few, so that nothing of the tester's own decides.
  static func environment(_ more: [String: String] = [:]) -> [String: String] {
    var variables = ["TERM": "xterm-256color"]
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
      variables[name] = ProcessInfo.processInfo.environment[name]
    }
    return variables.merging(more) { $1 }
  }

  /// Starts the program here.
  func start(_ arguments: String...) throws -> Program {
    try start(arguments)
  }

  func start(_ arguments: [String]) throws -> Program {
    try Program(
      executable: Executable.path(), arguments, in: directory.path,
      environment: Workspace.environment())
  }

  /// Runs the program here to its end.
  func run(_ arguments: String...) throws -> Outcome {
    try start(arguments).finish()
  }

  func run(_ arguments: [String]) throws -> Outcome {
    try start(arguments).finish()
  }

  /// Runs a shell command here with so many kibibytes of addresses.
  ///
  /// OpenBLAS starts with a thread for each core unless it is told not to, and on a machine with many of
  /// them these take all that there is.
  func shell(_ command: String, kibibytes: Int) throws -> Outcome {
    try shell("ulimit -v \(kibibytes); export OPENBLAS_NUM_THREADS=1; \(command)")
  }

  /// Runs a shell command here, in which `$learn2048` is the program.
  func shell(_ command: String) throws -> Outcome {
    try Program(
      executable: "/bin/sh", ["-c", command], in: directory.path,
      environment: Workspace.environment(["learn2048": Executable.path()])
    ).finish()
  }
}
