import Basics
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Commands

/// What `learn2048` does if `mpirun` starts it. `scripts/checks/ranks` checks `learn2048-mpi`.
@Suite("Jobs of several processes")
struct JobTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
  }

  @Test(
    "learn2048 refuses to train as one of several processes",
    arguments: [
      "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK=0 SLURM_STEP_NUM_TASKS",
      "SLURM_STEP_NUM_TASKS",
    ])
  func trainingIsRefused(variable: String) throws {
    let train = "\"$learn2048\" train --config tiny.json --run run"
    let outcome = try workspace.shell("export \(variable)=4; \(train)")
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("one of 4"))
    #expect(outcome.errors.contains("Start learn2048-mpi, which scripts/build --mpi builds"))
    #expect(!FileManager.default.fileExists(atPath: workspace.path("Models/run")))
    #expect(try workspace.shell("export \(variable)=1; \(train)").code == 0)
  }

  @Test("a program in a batch script of Slurm with several tasks is one process")
  func batchScriptsAreOneProcess() throws {
    let outcome = try workspace.shell(
      "export SLURM_NTASKS=4 SLURM_NPROCS=4 SLURM_PROCID=0; \"$learn2048\" train --config tiny.json --run run"
    )
    #expect(outcome.code == 0)
  }

  @Test(
    "in a step of Slurm that connects nobody, no process trains, evaluates or sweeps, and others work alone"
  )
  func unconnectedStepsAreRefused() throws {
    let step = "export SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3; \"$learn2048\""
    for command in [
      "train --config tiny.json", "evaluate greedy --games 1", "sweep --plan plan.json --run sweep",
    ] {
      let outcome = try workspace.shell("\(step) \(command)")
      #expect(outcome.code == 78)
      #expect(outcome.errors.hasPrefix("learn2048: rank 3 on "), "\(outcome)")
      #expect(outcome.errors.contains("SLURM_STEP_NUM_TASKS states the number"))
    }
    #expect(try workspace.shell("\(step) config --json").code == 0)
  }

  /// A connection of a library that knows nothing of the launcher.
  private final class Singleton: JobConnection {
    private let sole = SoleProcess()
    let isFinalized = Atomic<Bool>(false)

    var rank: Int { 0 }
    var size: Int { 1 }
    func allGather(_ bytes: [UInt8]) -> [[UInt8]] { sole.allGather(bytes) }
    func exchange(_ messages: [[UInt8]]) -> [[UInt8]] { sole.exchange(messages) }
    @unsafe func broadcast(_ region: UnsafeMutableRawBufferPointer) {}
    func finalize() { isFinalized.store(true, ordering: .relaxed) }
    func abort(exitCode: Int32) {}
    func startBeats(
      onSilence: @escaping @Sendable (Int) -> Void, onLoss: @escaping @Sendable (Int) -> Never
    ) -> @Sendable () -> Void { {} }
  }

  @Test("a process that its library connects to none of the others is refused")
  func worldsOfOneAreRefused() {
    let connection = Singleton()
    let failure = #expect(throws: Failure.self) { try Job.connect(4, by: { connection }) }
    #expect(failure?.exitCode.rawValue == 78)
    #expect(
      failure?.message.contains("srun --mpi=pmix (Open MPI), srun --mpi=pmi2 (MPICH)") == true)
    let isFinalized = connection.isFinalized.load(ordering: .relaxed)
    #expect(isFinalized)
  }

  @Test("other commands run in one process, and an error names the rank that has it")
  func otherCommandsAreRefused() throws {
    for (rank, origin) in ["learn2048: ", "learn2048: rank 1 on "].enumerated() {
      let outcome = try workspace.shell(
        "export OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=\(rank); \"$learn2048\" config --json")
      #expect(outcome.code == 64)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix(origin), "\(outcome)")
      #expect(outcome.errors.contains("'config' runs in one process"))
    }
  }

  @Test("all ranks end with the signal that one of them received", arguments: 0..<3)
  func signalOfAnyRank(receiver: Int) {
    func signals(isCut: Bool, _ signal: Int32?) -> [Int32?] {
      let signals = Mutex<[Int32?]>([])
      ThreadCommunicator.run(ranks: 3) { ranks in
        let end = Job.end(
          ranks, isCut: isCut && ranks.isLeader, received: ranks.rank == receiver ? signal : nil)
        signals.withLock { $0.append(end) }
      }
      return signals.withLock(\.self)
    }
    #expect(signals(isCut: true, SIGHUP) == [SIGHUP, SIGHUP, SIGHUP])
    // Another process has asked for the end.
    #expect(signals(isCut: true, nil) == [SIGTERM, SIGTERM, SIGTERM])
    // The signal came after the last episode.
    #expect(signals(isCut: false, SIGHUP) == [nil, nil, nil])
  }
}
