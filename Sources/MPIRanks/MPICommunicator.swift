import CMPI
import Ranks

/// The processes that `mpirun` or a batch system has started.
///
/// Safety: (1) the C functions read and write only the regions that they are given, whose lengths are those
/// of the arrays; (2) one thread at a time calls them, as the protocol requires.
@safe
public final class MPICommunicator: Communicator {
  /// The number of this process.
  public let rank: Int
  /// The number of processes.
  public let size: Int

  /// Connects this process to its job. Call it once.
  ///
  /// - Precondition: The MPI library supports calls from several threads, one at a time.
  public init() {
    precondition(cmpi_initialize(), "an MPI library with MPI_THREAD_SERIALIZED")
    rank = Int(cmpi_rank())
    size = Int(cmpi_size())
  }

  /// Leaves the job. All ranks call it.
  public func finalize() { cmpi_finalize() }

  /// Ends all processes of the job with this exit code.
  public func abort(exitCode: Int32) { cmpi_abort(exitCode) }

  /// Sends `bytes` to all ranks, and returns what each of them sent.
  ///
  /// - Precondition: All ranks together send less than 2 GiB.
  public func allGather(_ bytes: [UInt8]) -> [[UInt8]] {
    var counts = [Int32](repeating: 0, count: size)
    unsafe cmpi_gather_counts(Int32(bytes.count), &counts)
    var offsets: [Int32] = []
    var total: Int32 = 0
    for count in counts {
      offsets.append(total)
      total += count
    }
    var gathered = [UInt8](repeating: 0, count: Int(total))
    unsafe cmpi_gather(bytes, Int32(bytes.count), &gathered, counts, offsets)
    return zip(offsets, counts).map { Array(gathered[Int($0)..<Int($0 + $1)]) }
  }

  /// Replaces the bytes of a region by those that it has on rank 0.
  @unsafe
  public func broadcast(_ region: UnsafeMutableRawBufferPointer) {
    let most = 1 << 30
    for start in stride(from: 0, to: region.count, by: most) {
      unsafe cmpi_broadcast(
        region.baseAddress! + start, min(most, region.count - start))
    }
  }
}
