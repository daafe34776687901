import Foundation

/// The orders that rank 0 of a job gives, and that all ranks carry out together.
///
/// Every rank carries an order out and replies before the next one is given. An order that fails on one rank fails
/// on all of them: each throws the ``JobFailure`` of the first, and the loop is over. Without a failure, it is over
/// when rank 0 ends it, or releases it because of an error outside of an order.
///
/// An order may contain collective calls, and loops. The ranks must call the same ones before one of them fails.
///
/// Thread safety: one thread uses a loop.
package final class RankLoop<Order: Codable, Reply: Codable> {
  private let ranks: any Communicator
  private var isOver = false

  /// An order on its way; nil for the end.
  private struct Call: Codable { var order: Order? }

  /// Begins a loop, which the other ranks ``follow(_:_:onReplies:)``.
  ///
  /// - Parameter ranks: The processes of the job, of which this one has rank 0.
  package init(leading ranks: any Communicator) {
    precondition(ranks.isLeader, "only rank 0 gives orders")
    self.ranks = ranks
  }

  deinit { end() }

  /// Lets all ranks carry out an order.
  ///
  /// - Parameter own: Carries it out on this rank.
  /// - Returns: The replies, in the order of the ranks.
  /// - Throws: ``JobFailure``; in a job of one process, the error of `own`.
  package func order(_ order: Order, _ own: () throws -> Reply) throws -> [Reply] {
    precondition(!isOver, "no order follows the last one")
    if ranks.size > 1 { _ = ranks.broadcast(Call(order: order)) }
    do {
      return try ranks.together(own)
    } catch {
      isOver = true
      throw error
    }
  }

  /// Lets all ranks carry out an order that cannot fail, and returns the replies.
  package func tell(_ order: Order, _ own: () -> Reply) -> [Reply] {
    do {
      return try self.order(order, own)
    } catch {
      fatalError("an order that cannot fail: \(error)")
    }
  }

  /// Tells the other ranks that there are no further orders.
  package func end() {
    if !isOver, ranks.size > 1 { _ = ranks.broadcast(Call()) }
    isOver = true
  }

  /// Carries out orders as a rank other than 0, until the loop is over.
  ///
  /// - Parameters:
  ///   - carryOut: Carries out an order on this rank.
  ///   - onReplies: Called with the replies of all ranks to each order.
  /// - Throws: ``JobFailure``.
  package static func follow(
    _ ranks: any Communicator, _ carryOut: (Order) throws -> Reply,
    onReplies: ([Reply]) -> Void = { _ in }
  ) throws {
    while let order = ranks.broadcast(nil as Call?).order {
      onReplies(try ranks.together { try carryOut(order) })
    }
  }
}

/// The reply to an order that has been carried out and has no result.
package struct Done: Codable { package init() {} }

/// A failure that all ranks of a job know of, so that each of them ends by itself.
package struct JobFailure: Error {
  /// The error of the first rank that failed. Its path begins with the rank and its host.
  package let error: LocatedError

  package init(error: LocatedError) { self.error = error }
}

extension Communicator {
  /// Runs `body` on every rank, and fails on all ranks if it fails on one. All ranks call it together.
  ///
  /// - Returns: The values of all ranks, in their order.
  /// - Throws: ``JobFailure`` with the error of the first rank that failed; in a job of one process, the error.
  package func together<Value: Codable>(_ body: () throws -> Value) throws -> [Value] {
    guard size > 1 else { return [try body()] }
    var outcome = Outcome<Value>()
    do {
      outcome.value = try body()
    } catch {
      outcome.failure = LocatedError(error, ofRank: rank)
    }
    let outcomes = gather(outcome)
    if let first = outcomes.lazy.compactMap(\.failure).first { throw JobFailure(error: first) }
    return outcomes.map { $0.value! }
  }

  /// Runs `body` on every rank, and fails on all ranks if it fails on one. All ranks call it together.
  ///
  /// - Throws: The same errors as with a value.
  package func together(_ body: () throws -> Void) throws {
    _ = try together {
      try body()
      return Done()
    }
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
    let needs = gather(MemoryNeed(bytes: bytes, available: available))
    for (rank, need) in needs.enumerated() where need.bytes > 0 {
      let neighbours = needs.filter { $0.host == need.host }
      let total = neighbours.reduce(0) { $0 + $1.bytes }
      let count = neighbours.count { $0.bytes > 0 }
      do {
        try Memory.require(
          total, of: neighbours.compactMap(\.available).min(),
          for: purpose + (count > 1 ? " of the \(count) ranks there" : ""),
          path: nameOfRank(rank, on: need.host),
          remedy: "use fewer ranks on a machine, or machines with more memory")
      } catch let error as LocatedError {
        throw JobFailure(error: error)
      }
    }
  }
}

/// How something has ended on a rank: with a value or a failure.
private struct Outcome<Value: Codable>: Codable {
  var value: Value?
  var failure: LocatedError?
}

/// The memory that a rank needs and has.
private struct MemoryNeed: Codable {
  var host = hostName
  var bytes: Int
  var available: Int?
}

extension LocatedError {
  /// Creates the error of a rank for the others: its path begins with the rank and its host.
  package init(_ error: any Error, ofRank rank: Int) {
    if let known = error as? JobFailure {
      self = known.error
      return
    }
    let error =
      error as? LocatedError
      ?? LocatedError(
        .unsuitableData, path: "learn2048", "\(error)", remedy: "look for the cause on this machine"
      )
    self.init(
      error.kind, path: "\(nameOfRank(rank)): \(error.path)",
      place: error.place, error.problem, remedy: error.remedy)
  }
}

/// Returns how a message names a rank.
package func nameOfRank(_ rank: Int, on host: String = hostName) -> String {
  "rank \(rank) on \(host)"
}

/// The name of this machine without a question to the network.
package var hostName: String {
  var name = [CChar](repeating: 0, count: 256)
  guard unsafe gethostname(&name, name.count - 1) == 0 else { return "localhost" }
  return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
