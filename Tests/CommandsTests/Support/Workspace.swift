import Foundation
import TestSupport

/// A separate working directory for a test, with the configurations of the repository.
final class Workspace {
  let directory: TemporaryDirectory

  /// The smallest training that still learns: two patterns of three cells and one thread; it saves only at
  /// the end.
  static let tinyConfiguration = """
    {
      "episodes": 300, "threads": 1, "seed": 7,
      "network": {"patterns": ["012", "456"]},
      "report": {"everyEpisodes": 100},
      "checkpoint": {"everySeconds": 0}
    }
    """

  /// The path of the repository.
  static let repository = Repository.directory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("Configs"),
      withDestinationPath: Repository.file("Configs").path)
    try write(Workspace.tinyConfiguration, "tiny.json")
  }

  /// Returns the path of a file.
  func path(_ name: String) -> String { directory.file(name) }

  func write(_ text: String, _ name: String) throws {
    try directory.write(Array(text.utf8), name)
  }

  func text(_ name: String) throws -> String {
    String(decoding: try directory.bytes(name), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Returns the names in a subdirectory, sorted; empty if it does not exist.
  func names(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
  }

  // MARK: The program

  /// The environment of the program. It has few variables, so that the tester's settings have no effect.
  static func environment(_ more: [String: String] = [:]) -> [String: String] {
    var variables = ["TERM": "xterm-256color"]
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
      variables[name] = ProcessInfo.processInfo.environment[name]
    }
    return variables.merging(more) { $1 }
  }

  /// Starts the program in this directory.
  func start(_ arguments: String...) throws -> Program {
    try start(arguments)
  }

  func start(_ arguments: [String]) throws -> Program {
    try Program(
      executable: Executable.path(), arguments, in: directory.path,
      environment: Workspace.environment())
  }

  /// Runs the program in this directory until it ends.
  func run(_ arguments: String...) throws -> Outcome {
    try start(arguments).finish()
  }

  func run(_ arguments: [String]) throws -> Outcome {
    try start(arguments).finish()
  }

  /// Runs a shell command in this directory with a limit on the address space, in KiB.
  ///
  /// OpenBLAS is limited to one thread: by default it starts one per core, which on machines with many
  /// cores would use up the address space.
  func shell(_ command: String, kibibytes: Int) throws -> Outcome {
    try shell("ulimit -v \(kibibytes); export OPENBLAS_NUM_THREADS=1; \(command)")
  }

  /// Runs a shell command in this directory, in which `$learn2048` is the program.
  func shell(_ command: String) throws -> Outcome {
    try startShell(command).finish()
  }

  func startShell(_ command: String) throws -> Program {
    try Program(
      executable: "/bin/sh", ["-c", command], in: directory.path,
      environment: Workspace.environment(["learn2048": Executable.path()]))
  }
}
