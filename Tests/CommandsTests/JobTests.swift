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
    arguments: ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK=0 SLURM_STEP_NUM_TASKS"])
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
      "export SLURM_NTASKS=4 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0; \"$learn2048\" config --json")
    #expect(outcome.code == 0)
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
