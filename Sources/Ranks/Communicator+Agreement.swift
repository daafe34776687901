import Basics
import Foundation

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
      error.kind, path: "\(Ranks.place(ofRank: rank, on: hostName)): \(error.path)",
      place: error.place, error.problem, remedy: error.remedy)
  }
}
