import ArgumentParser
import Basics
import Foundation
import Synchronization

/// The job that this process belongs to: itself, or all processes that `mpirun` has started.
enum Job {
  /// Connects this process to the others; nil in the executable that works alone. It returns nil if the library
  /// behind it does not support threads.
  typealias Connect = @Sendable () -> (any JobConnection)?

  private struct State {
    var connect: Connect?
    /// The connection, once ``join()`` has been called.
    var connection: (any JobConnection)?
    /// Ends the beats by which ranks notice that another one is gone.
    var stopBeats: (@Sendable () -> Void)?
  }

  private static let state = Mutex(State())

  /// Sets how ``join()`` connects this process to the others.
  static func use(_ connect: Connect?) { state.withLock { $0.connect = connect } }

  /// Whether all processes know that the work has ended.
  private static let isOver = Atomic<Bool>(false)

  /// Connects this process to the job, if it is one of several that work together.
  static func join() throws -> any Communicator {
    guard let size = sizeOfLaunch ?? sizeOfStep, size > 1 else { return SoleProcess() }
    let connection = try connect(size, by: state.withLock(\.connect))
    state.withLock { $0.connection = connection }
    let hosts = try hostsOfEqualProcesses(connection)
    let stopBeats = connection.startBeats { silent in
      warn(about: silent, hosts, connection)
    } onLoss: { lost in
      end(without: lost, hosts, connection)
    }
    state.withLock { $0.stopBeats = stopBeats }
    return connection
  }

  /// Connects this process to the others of a launch.
  ///
  /// - Throws: `Failure` if it would work alone, as each of the others would.
  static func connect(_ size: Int, by connect: Connect?) throws -> any JobConnection {
    let origin =
      sizeOfLaunch == nil
      ? " SLURM_STEP_NUM_TASKS states the number; unset it if this process is to work alone." : ""
    guard let connect else {
      throw Failure(
        .configuration,
        "this process is one of \(size), but learn2048 works alone. Start learn2048-mpi, which scripts/build --mpi "
          + "builds, or a single process, without mpirun or with srun -n 1." + origin)
    }
    guard let connection = connect() else {
      throw Failure(
        .configuration,
        "the MPI library does not support several threads (MPI_THREAD_MULTIPLE). Use another one, such as "
          + "Open MPI or MPICH.")
    }
    guard connection.size > 1 else {
      connection.finalize()
      throw Failure(
        .configuration,
        "this process is one of \(size), but the MPI library has connected it to none of the others. Start them with "
          + "srun --mpi=pmix (Open MPI), srun --mpi=pmi2 (MPICH), or the mpirun of the library that learn2048-mpi was "
          + "built with." + origin)
    }
    return connection
  }

  /// The commands that several processes work on together.
  static let commands: [any ParsableCommand.Type] = [
    TrainCommand.self, EvaluateCommand.self, SweepCommand.self, BenchRanks.self,
  ]

  /// Refuses to do anything that has no meaning for several processes.
  static func requireSole(_ command: String) throws {
    guard let size = sizeOfLaunch, size > 1 else { return }
    throw Failure(
      .usage,
      "'\(command)' runs in one process, and this is one of \(size). Start it without mpirun; only 'train', "
        + "'evaluate', 'sweep' and 'bench ranks' use several.")
  }

  /// How the work has ended on a rank.
  private struct End: Codable {
    var isCut: Bool
    var signal: Int32?
  }

  /// Notes that all processes know that the work has ended. All ranks call it together.
  ///
  /// - Parameters:
  ///   - isCut: Whether the work was stopped before its end; ignored on other ranks than 0.
  ///   - received: The signal that this rank has received.
  /// - Returns: The signal that stopped the work, whichever rank received it; nil if it was not stopped.
  static func end(
    _ ranks: any Communicator, isCut: Bool = false, received: Int32? = SignalWatcher.received
  ) -> Int32? {
    let ends = ranks.gather(End(isCut: isCut, signal: received))
    end()
    return ends[0].isCut ? ends.lazy.compactMap(\.signal).first ?? SIGTERM : nil
  }

  /// Notes that all processes know that the work has ended, as by an error that all of them have.
  static func end() { isOver.store(true, ordering: .relaxed) }

  /// Leaves the job. If the others do not know that the work has ended, ends their processes.
  static func leave(exitCode: Int32) {
    guard let connection = state.withLock(\.connection) else { return }
    if isOver.load(ordering: .relaxed) {
      state.withLock(\.stopBeats)?()
      connection.finalize()
    } else {
      connection.abort(exitCode: exitCode)
    }
  }

  /// Prints the message of the error that ends this process, unless rank 0 prints the same.
  static func report(_ message: String) {
    var message = message
    if let rank = number(in: ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"]),
      rank > 0
    {
      if isOver.load(ordering: .relaxed) { return }
      // If rank 0 has the same error, most launchers end this process meanwhile.
      Thread.sleep(forTimeInterval: 1)
      message = "rank \(rank) on \(hostName): \(message)"
    }
    StandardError.shared.line("learn2048: " + message)
  }

  /// The number of processes that a launcher states; nil without one.
  ///
  /// Slurm states it only in a variable that other programs under Slurm have, too. It counts if the launcher has
  /// connected this process to others by PMIx.
  private static var sizeOfLaunch: Int? {
    number(in: ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"])
      ?? number(in: ["PMIX_RANK"]).flatMap { _ in sizeOfStep }
  }

  /// The number of processes that `srun` has started, connected or not; nil without it.
  ///
  /// A batch script has no such number, although it has SLURM_NTASKS, unless `sbatch` was called in a step.
  private static var sizeOfStep: Int? { number(in: ["SLURM_STEP_NUM_TASKS"]) }

  /// Returns the number in the first of these variables that is set: those of Open MPI, of MPICH and its
  /// relatives, of PMIx, and of Slurm.
  private static func number(in variables: [String]) -> Int? {
    let environment = ProcessInfo.processInfo.environment
    return variables.lazy.compactMap { environment[$0].flatMap { Int($0) } }.first
  }

  /// What all processes of a job must have in common.
  private struct Process: Codable {
    var host = hostName
    var version = Version.current
    var isLittleEndian = 1.littleEndian == 1
    var arguments = Array(CommandLine.arguments.dropFirst())
  }

  /// Returns the hosts of all ranks.
  private static func hostsOfEqualProcesses(_ ranks: any Communicator) throws -> [String] {
    let processes = ranks.gather(Process())
    let first = processes[0]
    for (rank, process) in processes.enumerated() {
      var difference: String?
      if process.version != first.version {
        difference =
          "runs version \(process.version), and rank 0 on \(first.host) runs \(first.version). Install the "
          + "same build on all machines."
      } else if process.isLittleEndian != first.isLittleEndian {
        difference =
          "has another byte order than rank 0 on \(first.host). Use machines of one architecture."
      } else if process.arguments != first.arguments {
        difference =
          "was started with '\(process.arguments.joined(separator: " "))', and rank 0 on \(first.host) with "
          + "'\(first.arguments.joined(separator: " "))'. Start all processes with the same arguments."
      }
      guard let difference else { continue }
      end()
      throw Failure(.configuration, "rank \(rank) on \(process.host) \(difference)")
    }
    return processes.map(\.host)
  }

  /// Warns on rank 0 that a rank may be gone. The launcher may end the job before the rank is lost.
  private static func warn(about silent: Int, _ hosts: [String], _ ranks: any JobConnection) {
    guard ranks.isLeader else { return }
    StandardError.shared.line(
      "learn2048: warning: no sign of rank \(silent) on \(hosts[silent]) for \(seconds(BeatWatch.warningLimit)). "
        + "After \(seconds(BeatWatch.limit)) the job ends.")
  }

  /// Ends this process, and on rank 0 the job, because a rank is gone.
  private static func end(
    without lost: Int, _ hosts: [String], _ ranks: any JobConnection
  ) -> Never {
    StandardError.shared.endProgress()
    StandardError.shared.line(
      "learn2048: no sign of rank \(lost) on \(hosts[lost]) for \(seconds(BeatWatch.limit)), so rank "
        + "\(ranks.rank) on \(hosts[ranks.rank]) ends. Check the machines and their network, and start the job "
        + "again.")
    if ranks.isLeader { ranks.abort(exitCode: ExitStatus.rankLost.code) }
    _exit(ExitStatus.rankLost.code)
  }

  private static func seconds(_ beats: Int) -> String {
    NumberText.duration(Double(beats) * BeatWatch.interval)
  }
}
