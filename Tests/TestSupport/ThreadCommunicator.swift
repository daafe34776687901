import Basics
import Foundation
import Synchronization

/// A communicator between threads of one process, which stand for the ranks of a job.
///
/// Between two rendezvous, each rank writes its own slot, and after the second of them all only read.
public final class ThreadCommunicator: Communicator {
  public let rank: Int
  private let job: Job

  /// What the ranks share.
  private final class Job: Sendable {
    let size: Int
    let rendezvous = Rendezvous()
    /// The messages of each rank to every rank.
    let slots: Mutex<[[[UInt8]]]>

    init(size: Int) {
      self.size = size
      slots = Mutex(Array(repeating: [], count: size))
    }
  }

  private init(rank: Int, job: Job) {
    self.rank = rank
    self.job = job
  }

  public var size: Int { job.size }

  /// Runs `body` once for each rank, at the same time, and returns when all are done.
  public static func run(ranks: Int, _ body: @Sendable (any Communicator) -> Void) {
    let job = Job(size: ranks)
    WorkerThreads.run(count: ranks) { rank, threads in
      precondition(threads == ranks, "a thread for every rank")
      body(ThreadCommunicator(rank: rank, job: job))
    }
  }

  public func allGather(_ bytes: [UInt8]) -> [[UInt8]] {
    exchange(Array(repeating: bytes, count: size))
  }

  public func exchange(_ messages: [[UInt8]]) -> [[UInt8]] {
    precondition(messages.count == size, "a message for every rank")
    job.slots.withLock { $0[rank] = messages }
    job.rendezvous.wait(for: size) {}
    // A separate array: the thread sanitizer does not see what orders the accesses to a shared one.
    let received = job.slots.withLock { slots in slots.map { $0[rank] } }
    job.rendezvous.wait(for: size) {}
    return received
  }

  @unsafe public func broadcast(_ region: UnsafeMutableRawBufferPointer) {
    let sent = allGather(unsafe rank == 0 ? [UInt8](region) : [])[0]
    precondition(sent.count == region.count, "regions of different lengths")
    unsafe region.copyBytes(from: sent)
  }
}
