import Foundation
import Testing

/// Limits of the system on a process. They are Linux's.
#if os(Linux)
  @Suite("Limits on memory and threads")
  struct LimitTests {
    private let workspace: Workspace

    init() throws {
      workspace = try Workspace()
    }

    /// OpenBLAS ends a program, before it starts, whose threads for all cores do not fit.
    private static let hasFewCores = ProcessInfo.processInfo.processorCount <= 4

    @Test(
      "a small address space is enough for the version", .enabled(if: hasFewCores),
      arguments: [150_000, 260_000])
    func version(kibibytes: Int) throws {
      let outcome = try workspace.shell("ulimit -v \(kibibytes); \"$learn2048\" --version")
      #expect(outcome.code == 0, "\(outcome)")
      #expect(outcome.lines.count == 1)
    }

    @Test(
      "a training fits into a limited address space, or says that it does not",
      .enabled(if: hasFewCores), arguments: [150_000, 200_000, 250_000, 320_000, 500_000])
    func training(kibibytes: Int) throws {
      let outcome = try workspace.shell(
        """
        ulimit -v \(kibibytes)
        exec "$learn2048" train --config tiny.json --threads 16 --set network.patterns=4x5 \
          --set evaluation.everyEpisodes=100 --set evaluation.games=5 \
          --set checkpoint.everyEpisodes=100
        """)
      #expect([0, 78].contains(outcome.code), "\(outcome)")
      if outcome.code == 78 { #expect(outcome.errors.contains("would need"), "\(outcome)") }
      if kibibytes == 150_000 { #expect(outcome.code == 78, "\(outcome)") }
      if kibibytes == 500_000 { #expect(outcome.code == 0, "\(outcome)") }
    }

    @Test("more games than memory has room for are refused")
    func manyGames() throws {
      let outcome = try workspace.shell(
        #""$learn2048" evaluate --against random --games 1e7"#, kibibytes: 400_000)
      #expect(outcome.code == 78, "\(outcome)")
      #expect(
        outcome.errors.contains("--games: the results of 10,000,000 games would need "))
    }

    /// Whether another user may run the executable: the superuser limits the processes of one.
    private static let isReachable =
      getuid() != 0
      || sequence(first: URL(fileURLWithPath: (try? Executable.path()) ?? "/")) { url in
        url.path == "/" ? nil : url.deletingLastPathComponent()
      }.allSatisfy { url in
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes?[.posixPermissions] as? Int).map { $0 & 0o1 != 0 } ?? false
      }

    /// Returns the outcome of a shell command of a user with a limit on processes, which does not hold for
    /// the superuser.
    private func limited(processes: Int, _ command: String) throws -> Program {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o777], ofItemAtPath: workspace.directory.path)
      let user = getuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
      return try workspace.startShell(
        "export OPENBLAS_NUM_THREADS=1; "
          + "exec \(user) prlimit --nproc=\(processes):\(processes) \(command)")
    }

    @Test(
      "without threads for signals a training does not begin",
      .enabled(if: isReachable, "another user may not run the executable"))
    func noThreads() throws {
      let program = try limited(
        processes: 1, #""$learn2048" train --config tiny.json --threads 64"#)
      let outcome = try program.finish()
      #expect(outcome.code == 78, "\(outcome)")
      #expect(outcome.errors.contains("threads that this command needs can be started"))
      #expect(!workspace.exists("Models"))
    }

    @Test(
      "a signal ends a synchronous training with fewer threads than it asked for",
      .enabled(if: getuid() == 0, "the number of processes of another user is not known"),
      .enabled(if: isReachable, "another user may not run the executable"))
    func fewThreads() throws {
      let program = try limited(
        processes: 20,
        #""$learn2048" train --config tiny.json --episodes 1e9 --threads 64 --json "#
          + "--set learning.mode=synchronous --set learning.lanes=64")
      try program.waitForLines(2)
      program.send(SIGTERM)
      #expect(try program.finish().code == 143)
    }
  }
#endif
