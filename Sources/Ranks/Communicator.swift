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
