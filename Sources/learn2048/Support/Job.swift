import ArgumentParser
import Basics
import Console
import Foundation
import Ranks
import Synchronization

#if MPI
  import MPIRanks
#endif

/// The job that this process belongs to: itself, or all processes that `mpirun` has started.
enum Job {
  #if MPI
    /// The connection to the other processes, once ``join()`` has been called.
    private static let communicator = Mutex<MPICommunicator?>(nil)
    /// The beats by which ranks notice that another one is gone.
    private static let heartbeat = Mutex<Heartbeat?>(nil)
  #endif

  /// Whether all processes know that the work has ended.
  private static let isOver = Atomic<Bool>(false)

  /// Connects this process to the job, if it is one of several that work together.
  ///
  /// - Throws: `Failure` if this build cannot do that, or the processes differ.
  static func join() throws -> any Communicator {
    guard let size = sizeOfLaunch, size > 1 else { return SoleProcess() }
    #if MPI
      guard let communicator = MPICommunicator() else {
        throw Failure(
          .configuration,
          "the MPI library does not support several threads (MPI_THREAD_MULTIPLE). Use another one, such as "
            + "Open MPI or MPICH.")
      }
      self.communicator.withLock { $0 = communicator }
      let hosts = try hostsOfEqualProcesses(communicator)
      let heartbeat = Heartbeat(of: communicator) { silent in
        warn(about: silent, hosts, communicator)
      } onLoss: { lost in
        end(without: lost, hosts, communicator)
      }
      self.heartbeat.withLock { $0 = heartbeat }
      return communicator
    #else
      throw Failure(
        .configuration,
        "this process is one of \(size), but this build works alone. Build one for several processes with "
          + "scripts/build --mpi, or start it without mpirun.")
    #endif
  }

  /// The commands that several processes work on together.
  static let commands: [any ParsableCommand.Type] = [
    TrainCommand.self, EvaluateCommand.self, SweepCommand.self, BenchRanks.self,
  ]

  /// Refuses to do anything that has no meaning for several processes.
  ///
  /// - Throws: `Failure` in a job of several processes.
  static func requireSole(_ command: String) throws {
    guard let size = sizeOfLaunch, size > 1 else { return }
    throw Failure(
      .usage,
      "'\(command)' runs in one process, and this is one of \(size). Start it without mpirun; only 'train', "
        + "'evaluate', 'sweep' and 'bench ranks' use several.")
  }

  /// Notes that all processes know that the work has ended.
  static func end() { isOver.store(true, ordering: .relaxed) }

  /// Leaves the job. If the others do not know that the work has ended, ends their processes.
  static func leave(exitCode: Int32) {
    #if MPI
      guard let communicator = communicator.withLock(\.self) else { return }
      if isOver.load(ordering: .relaxed) {
        heartbeat.withLock(\.self)?.stop()
        communicator.finalize()
      } else {
        communicator.abort(exitCode: exitCode)
      }
    #endif
  }

  /// Prints the message of the error that ends this process, unless rank 0 prints the same.
  static func report(_ message: String) {
    var message = message
    if let rank = number(in: ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"]), rank > 0 {
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
      ?? number(in: ["PMIX_RANK"]).flatMap { _ in number(in: ["SLURM_STEP_NUM_TASKS"]) }
  }

  /// Returns the number in the first of these variables that is set: those of Open MPI, of MPICH and its
  /// relatives, and of PMIx.
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
  ///
  /// - Throws: `Failure` unless all processes run the same command of the same version on machines with the same
  ///   byte order.
  private static func hostsOfEqualProcesses(_ ranks: any Communicator) throws -> [String] {
    let processes = try ranks.gather(value: Process())
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

  #if MPI
    /// Warns on rank 0 that a rank may be gone. The launcher may end the job before the rank is lost.
    private static func warn(about silent: Int, _ hosts: [String], _ ranks: MPICommunicator) {
      guard ranks.isLeader else { return }
      StandardError.shared.line(
        "learn2048: warning: no sign of rank \(silent) on \(hosts[silent]) for \(seconds(BeatWatch.warningLimit)). "
          + "After \(seconds(BeatWatch.limit)) the job ends.")
    }

    /// Ends this process, and on rank 0 the job, because a rank is gone.
    private static func end(
      without lost: Int, _ hosts: [String], _ ranks: MPICommunicator
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
  #endif
}
