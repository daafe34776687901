import Basics
import CMPI

/// The processes that `mpirun` or a batch system has started.
///
/// Safety: (1) the C functions read and write only the regions that they are given, whose lengths are those
/// of the arrays; (2) one thread at a time uses a communicator, as the protocol requires, and the library
/// supports a thread for each communicator.
@safe
public final class MPICommunicator: JobConnection {
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
  func duplicate() -> MPICommunicator { MPICommunicator(duplicating: self) }

  public func startBeats(
    onSilence: @escaping @Sendable (Int) -> Void, onLoss: @escaping @Sendable (Int) -> Never
  ) -> @Sendable () -> Void {
    let heartbeat = Heartbeat(of: self, onSilence: onSilence, onLoss: onLoss)
    return { heartbeat.stop() }
  }

  /// Leaves the job. All ranks call it.
  public func finalize() { cmpi_finalize() }

  /// Ends all processes of the job with this exit code.
  public func abort(exitCode: Int32) { cmpi_abort(exitCode) }

  /// Sends `bytes` to all ranks, and returns what each of them sent.
  ///
  /// - Precondition: All ranks together send less than 2 GiB. Otherwise this ends the process with a message.
  public func allGather(_ bytes: [UInt8]) -> [[UInt8]] {
    let own = MPICommunicator.layout(of: [bytes.count]).total
    var counts = [Int32](repeating: 0, count: size)
    unsafe cmpi_gather_counts(number, Int32(own), &counts)
    return unsafe MPICommunicator.receive(counts) { gathered, layout in
      unsafe cmpi_gather(number, bytes, Int32(own), gathered, layout.counts, layout.offsets)
    }
  }

  /// Sends each rank the message with its number, and returns what each of them sent to this one.
  ///
  /// - Precondition: The ranks send and receive less than 2 GiB each. Otherwise this ends the process with a message.
  public func exchange(_ messages: [[UInt8]]) -> [[UInt8]] {
    precondition(messages.count == size, "a message for every rank")
    let sent = MPICommunicator.layout(of: messages.map(\.count))
    var counts = [Int32](repeating: 0, count: size)
    unsafe cmpi_exchange_counts(number, sent.counts, &counts)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sent.total)
    for message in messages { bytes += message }
    return unsafe MPICommunicator.receive(counts) { received, layout in
      unsafe cmpi_exchange(
        number, bytes, sent.counts, sent.offsets, received, layout.counts, layout.offsets)
    }
  }

  /// Returns the messages of all ranks, which have these lengths. `body` receives them, one after the other.
  private static func receive(
    _ counts: [Int32], _ body: (_ region: UnsafeMutableRawPointer, _ layout: MessageLayout) -> Void
  ) -> [[UInt8]] {
    let layout = layout(of: counts.map(Int.init))
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(1, layout.total)) { region, count in
      unsafe body(UnsafeMutableRawPointer(region.baseAddress!), layout)
      count = layout.total
    }
    return layout.messages(in: bytes)
  }

  /// Returns the places of messages of these lengths. Ends the process if MPI cannot count their bytes.
  private static func layout(of lengths: [Int]) -> MessageLayout {
    guard let layout = MessageLayout(lengths) else {
      fatalError("the ranks send each other 2 GiB or more at once")
    }
    return layout
  }

  /// Replaces the bytes of a region by those that it has on rank 0, in pieces whose length MPI can count.
  @unsafe
  public func broadcast(_ region: UnsafeMutableRawBufferPointer) {
    let most = 1 << 30
    for start in stride(from: 0, to: region.count, by: most) {
      unsafe cmpi_broadcast(
        number, region.baseAddress! + start, min(most, region.count - start))
    }
  }
}
