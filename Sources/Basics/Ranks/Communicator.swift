import Foundation

/// The connection between the processes of a job, which run the same program on one or more machines.
///
/// Every process has a rank, counted from 0. Rank 0 leads: it reads and writes files and prints. Most
/// functions are collective: all ranks call the same functions in the same order, and each call waits
/// for the others.
///
/// Thread safety: one thread at a time uses a communicator.
public protocol Communicator: AnyObject, Sendable {
  /// The number of this process, counted from 0.
  var rank: Int { get }

  /// The number of processes.
  var size: Int { get }

  /// Sends `bytes` to all ranks, and returns what each of them sent, in the order of the ranks.
  func allGather(_ bytes: [UInt8]) -> [[UInt8]]

  /// Sends each rank the message with its number, and returns what each of them sent to this one.
  ///
  /// - Precondition: There is a message for every rank.
  func exchange(_ messages: [[UInt8]]) -> [[UInt8]]

  /// Replaces the bytes of a region by those that it has on rank 0.
  ///
  /// - Precondition: The region has the same length on all ranks.
  @unsafe func broadcast(_ region: UnsafeMutableRawBufferPointer)
}

extension Communicator {
  /// Whether this process leads the job. The only process of a job leads it.
  public var isLeader: Bool { rank == 0 }

  /// Returns the value that rank 0 passes.
  ///
  /// - Parameter value: The value on rank 0; ignored on the others.
  /// - Precondition: The value can be encoded as JSON, as all that ranks send each other.
  package func broadcast<Value: Codable>(_ value: Value?) -> Value {
    var bytes = isLeader ? encoded(value) : []
    var count = UInt64(bytes.count)
    unsafe withUnsafeMutableBytes(of: &count) { unsafe broadcast($0) }
    if !isLeader { bytes = [UInt8](repeating: 0, count: Int(count)) }
    unsafe bytes.withUnsafeMutableBytes { unsafe broadcast($0) }
    return decoded(bytes)
  }

  /// Sends a value to all ranks, and returns what each of them sent, in the order of the ranks.
  package func gather<Value: Codable>(_ value: Value) -> [Value] {
    size == 1 ? [value] : allGather(encoded(value)).map { decoded($0) }
  }
}

// All processes of a job have the same version, so each reads what another has written.

private func encoded(_ value: some Encodable) -> [UInt8] {
  do {
    return [UInt8](try JSONEncoder().encode(value))
  } catch {
    fatalError("what a rank holds cannot be sent: \(error)")
  }
}

private func decoded<Value: Decodable>(_ bytes: [UInt8]) -> Value {
  do {
    return try JSONDecoder().decode(Value.self, from: Data(bytes))
  } catch {
    fatalError("what a rank has sent cannot be read: \(error)")
  }
}

/// The connection of a process that a launcher such as `mpirun` has started to the rest of its job.
public protocol JobConnection: Communicator {
  /// Leaves the job. All ranks call it.
  func finalize()

  /// Ends all processes of the job with this exit code.
  func abort(exitCode: Int32)

  /// Starts to exchange beats with the other ranks. All ranks call it together.
  ///
  /// - Parameters:
  ///   - onSilence: Called on another thread with a rank that has been silent for some time.
  ///   - onLoss: Called on another thread with the rank that is lost; it ends the process.
  /// - Returns: A function that ends the beats. It waits until all ranks have called theirs.
  func startBeats(
    onSilence: @escaping @Sendable (Int) -> Void, onLoss: @escaping @Sendable (Int) -> Never
  ) -> @Sendable () -> Void
}

/// The communicator of a job with one process.
public final class SoleProcess: Communicator {
  /// Creates the communicator.
  public init() {}

  /// 0.
  public var rank: Int { 0 }
  /// 1.
  public var size: Int { 1 }

  /// Returns the bytes themselves.
  public func allGather(_ bytes: [UInt8]) -> [[UInt8]] { [bytes] }

  /// Returns the message.
  public func exchange(_ messages: [[UInt8]]) -> [[UInt8]] { messages }

  /// Leaves the region as it is.
  @unsafe public func broadcast(_ region: UnsafeMutableRawBufferPointer) {}
}

/// The places of several messages in one region, one after the other, as MPI counts them.
///
/// MPI counts bytes by numbers of 32 bits, so the region has less than 2 GiB.
package struct MessageLayout: Equatable, Sendable {
  /// The length of each message, in bytes.
  package let counts: [Int32]
  /// The place at which each message begins, in bytes.
  package let offsets: [Int32]
  /// The length of the region, in bytes.
  package let total: Int

  /// Lays out messages of these lengths in bytes; nil if they have 2 GiB or more together.
  package init?(_ lengths: [Int]) {
    var (counts, offsets): ([Int32], [Int32]) = ([], [])
    var total: Int32 = 0
    for length in lengths {
      guard let count = Int32(exactly: length) else { return nil }
      counts.append(count)
      offsets.append(total)
      let (sum, isTooLong) = total.addingReportingOverflow(count)
      if isTooLong { return nil }
      total = sum
    }
    (self.counts, self.offsets, self.total) = (counts, offsets, Int(total))
  }

  /// Divides a region into its messages.
  ///
  /// - Precondition: The region has ``total`` bytes.
  package func messages(in region: [UInt8]) -> [[UInt8]] {
    precondition(region.count == total, "a region of another layout")
    return zip(offsets, counts).map { Array(region[Int($0)..<Int($0) + Int($1)]) }
  }
}
