import CMPI
import Ranks

/// The processes that `mpirun` or a batch system has started.
///
/// Safety: (1) the C functions read and write only the regions that they are given, whose lengths are those
/// of the arrays; (2) one thread at a time uses a communicator, as the protocol requires, and the library
/// supports a thread for each communicator.
@safe
public final class MPICommunicator: Communicator {
  /// The number of this process.
  public let rank: Int
  /// The number of processes.
  public let size: Int
  /// The number of the communicator in C.
  let number: Int32

  /// Connects this process to its job; nil if the MPI library does not support threads. Call it once.
  public init?() {
    guard cmpi_initialize() else { return nil }
    rank = Int(cmpi_rank())
    size = Int(cmpi_size())
    number = 0
  }

  private init(duplicating other: MPICommunicator) {
    (rank, size) = (other.rank, other.size)
    number = cmpi_duplicate(other.number)
  }

  /// Returns a communicator of the same ranks for another thread. All ranks call it together.
  public func duplicate() -> MPICommunicator { MPICommunicator(duplicating: self) }

  /// Leaves the job. All ranks call it.
  public func finalize() { cmpi_finalize() }

  /// Ends all processes of the job with this exit code.
  public func abort(exitCode: Int32) { cmpi_abort(exitCode) }

  /// Sends `bytes` to all ranks, and returns what each of them sent.
  ///
  /// - Precondition: All ranks together send less than 2 GiB.
  public func allGather(_ bytes: [UInt8]) -> [[UInt8]] {
    var counts = [Int32](repeating: 0, count: size)
    unsafe cmpi_gather_counts(number, Int32(bytes.count), &counts)
    return unsafe MPICommunicator.receive(counts) { gathered, offsets in
      unsafe cmpi_gather(number, bytes, Int32(bytes.count), gathered, counts, offsets)
    }
  }

  /// Sends each rank the message with its number, and returns what each of them sent to this one.
  ///
  /// - Precondition: The ranks send and receive less than 2 GiB each.
  public func exchange(_ messages: [[UInt8]]) -> [[UInt8]] {
    precondition(messages.count == size, "a message for every rank")
    let sentCounts = messages.map { Int32($0.count) }
    var counts = [Int32](repeating: 0, count: size)
    unsafe cmpi_exchange_counts(number, sentCounts, &counts)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(messages.reduce(0) { $0 + $1.count })
    for message in messages { bytes += message }
    return unsafe MPICommunicator.receive(counts) { received, offsets in
      unsafe cmpi_exchange(
        number, bytes, sentCounts, MPICommunicator.offsets(of: sentCounts), received, counts,
        offsets)
    }
  }

  /// Returns the messages of all ranks, which have these lengths. `body` receives them, one after the other.
  private static func receive(
    _ counts: [Int32], _ body: (_ region: UnsafeMutableRawPointer, _ offsets: [Int32]) -> Void
  ) -> [[UInt8]] {
    let offsets = offsets(of: counts)
    let total = Int(offsets.last! + counts.last!)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, total)) { region, count in
      unsafe body(UnsafeMutableRawPointer(region.baseAddress!), offsets)
      count = total
    }
    return zip(offsets, counts).map { Array(bytes[Int($0)..<Int($0 + $1)]) }
  }

  /// Returns where messages of these lengths begin, one after the other.
  private static func offsets(of counts: [Int32]) -> [Int32] {
    var total: Int32 = 0
    return counts.map { count in
      defer { total += count }
      return total
    }
  }

  /// Replaces the bytes of a region by those that it has on rank 0.
  @unsafe
  public func broadcast(_ region: UnsafeMutableRawBufferPointer) {
    MPICommunicator.inPieces(region.count) { start, count in
      unsafe cmpi_broadcast(number, region.baseAddress! + start, count)
    }
  }

  /// Sends the bytes of a region to a rank.
  @unsafe
  public func send(_ region: UnsafeRawBufferPointer, to rank: Int) {
    MPICommunicator.inPieces(region.count) { start, count in
      unsafe cmpi_send(number, region.baseAddress! + start, count, Int32(rank))
    }
  }

  /// Replaces the bytes of a region by those that a rank sends.
  @unsafe
  public func receive(_ region: UnsafeMutableRawBufferPointer, from rank: Int) {
    MPICommunicator.inPieces(region.count) { start, count in
      unsafe cmpi_receive(number, region.baseAddress! + start, count, Int32(rank))
    }
  }

  /// Divides bytes into pieces whose length MPI can count.
  private static func inPieces(_ count: Int, _ body: (_ start: Int, _ count: Int) -> Void) {
    let most = 1 << 30
    for start in stride(from: 0, to: count, by: most) { body(start, min(most, count - start)) }
  }
}
