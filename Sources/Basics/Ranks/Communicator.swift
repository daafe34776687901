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

  /// Sends the bytes of a region to another rank, which receives them. Only these two ranks call.
  @unsafe func send(_ region: UnsafeRawBufferPointer, to rank: Int)

  /// Replaces the bytes of a region by those that another rank sends.
  ///
  /// - Precondition: The rank sends as many bytes.
  @unsafe func receive(_ region: UnsafeMutableRawBufferPointer, from rank: Int)
}

extension Communicator {
  /// Whether this process leads the job. The only process of a job leads it.
  public var isLeader: Bool { rank == 0 }

  /// Returns the value that rank 0 passes.
  ///
  /// - Parameter value: The value on rank 0; ignored on the others.
  /// - Throws: An error of encoding or decoding, on every rank that has it.
  public func broadcast<Value: Codable>(_ value: Value?) throws -> Value {
    var bytes = isLeader ? [UInt8](try JSONEncoder().encode(value)) : []
    var count = UInt64(bytes.count)
    unsafe withUnsafeMutableBytes(of: &count) { unsafe broadcast($0) }
    if !isLeader { bytes = [UInt8](repeating: 0, count: Int(count)) }
    unsafe bytes.withUnsafeMutableBytes { unsafe broadcast($0) }
    return try JSONDecoder().decode(Value.self, from: Data(bytes))
  }
}

extension Communicator {
  /// Returns the elements that all ranks pass, in the order of the ranks.
  ///
  /// - Precondition: The elements can be encoded as JSON.
  package func gather<Element: Codable>(_ own: [Element]) -> [Element] {
    if size == 1 { return own }
    do {
      return try gather(value: own).flatMap(\.self)
    } catch {
      fatalError("what a rank holds cannot be sent: \(error)")
    }
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

  /// Fails, as there is no other rank.
  @unsafe public func send(_ region: UnsafeRawBufferPointer, to rank: Int) {
    preconditionFailure("no other rank")
  }

  /// Fails, as there is no other rank.
  @unsafe public func receive(_ region: UnsafeMutableRawBufferPointer, from rank: Int) {
    preconditionFailure("no other rank")
  }
}

/// A failure that all ranks of a job know of, so that each of them ends by itself.
package struct JobFailure: Error {
  /// The error of the first rank that failed. Its path begins with the rank and its host.
  package let error: LocatedError

  package init(error: LocatedError) { self.error = error }
}

/// The name of this machine without a question to the network.
package var hostName: String {
  var name = [CChar](repeating: 0, count: 256)
  guard unsafe gethostname(&name, name.count - 1) == 0 else { return "localhost" }
  return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension Communicator {
  /// Runs `body` on every rank, and fails on all ranks if it fails on one. All ranks call it together.
  ///
  /// - Returns: The value of this rank.
  /// - Throws: ``JobFailure`` with the error of the first rank that failed; in a job of one process, the error.
  package func together<Value>(_ body: () throws -> Value) throws -> Value {
    let result = Result { try body() }
    guard size > 1 else { return try result.get() }
    var failure: LocatedError?
    if case .failure(let error) = result { failure = LocatedError(error, ofRank: rank) }
    let failures = try gather(value: failure)
    if let first = failures.compactMap(\.self).first { throw JobFailure(error: first) }
    return try result.get()
  }

  /// Requires that every machine has the memory that its ranks are about to use. All ranks call it together.
  ///
  /// Ranks with the same host name share its memory.
  ///
  /// - Parameters:
  ///   - bytes: The number of bytes that this rank needs.
  ///   - available: The number of bytes that this rank can use; nil if unknown.
  ///   - purpose: The purpose of the memory for the message, such as `the network's weights`.
  /// - Throws: ``JobFailure`` with the first rank whose machine lacks memory.
  package func requireMemory(
    _ bytes: Int, of available: Int? = Memory.available(), for purpose: String
  ) throws {
    guard size > 1 else { return }
    let needs = try gather(value: MemoryNeed(bytes: bytes, available: available))
    for (rank, need) in needs.enumerated() where need.bytes > 0 {
      let neighbours = needs.filter { $0.host == need.host }
      let total = neighbours.reduce(0) { $0 + $1.bytes }
      let count = neighbours.count { $0.bytes > 0 }
      do {
        try Memory.require(
          total, of: neighbours.compactMap(\.available).min(),
          for: purpose + (count > 1 ? " of the \(count) ranks there" : ""),
          path: place(ofRank: rank, on: need.host),
          remedy: "use fewer ranks on a machine, or machines with more memory")
      } catch let error as LocatedError {
        throw JobFailure(error: error)
      }
    }
  }

  /// Sends a value to all ranks, and returns what each of them sent.
  ///
  /// - Throws: An error of encoding or decoding.
  package func gather<Value: Codable>(value: Value) throws -> [Value] {
    try allGather([UInt8](try JSONEncoder().encode(value))).map {
      try JSONDecoder().decode(Value.self, from: Data($0))
    }
  }
}

/// Returns how a message names a rank.
private func place(ofRank rank: Int, on host: String) -> String { "rank \(rank) on \(host)" }

/// The memory that a rank needs and has.
private struct MemoryNeed: Codable {
  var host = hostName
  var bytes: Int
  var available: Int?
}

extension LocatedError {
  /// Creates the error of a rank for the others: its path begins with the rank and its host.
  package init(_ error: any Error, ofRank rank: Int) {
    let error =
      error as? LocatedError
      ?? LocatedError(
        .unsuitableData, path: "learn2048", "\(error)", remedy: "look for the cause on this machine"
      )
    self.init(
      error.kind, path: "\(Basics.place(ofRank: rank, on: hostName)): \(error.path)",
      place: error.place, error.problem, remedy: error.remedy)
  }
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
