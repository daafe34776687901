import Synchronization
import TestSupport
import Testing

@testable import Basics

/// What every rank of a job throws.
func errors(
  ranks: Int, _ body: @escaping @Sendable (any Communicator) throws -> Void
) -> [LocatedError?] {
  let errors = Mutex<[Int: LocatedError]>([:])
  ThreadCommunicator.run(ranks: ranks) { communicator in
    do {
      try body(communicator)
    } catch let failure as JobFailure {
      errors.withLock { $0[communicator.rank] = failure.error }
    } catch {
      Issue.record(error)
    }
  }
  return errors.withLock { errors in (0..<ranks).map { errors[$0] } }
}

@Suite struct AgreementTests {
  @Test func allRanksLearnOfTheFirstFailure() throws {
    let problem = LocatedError(
      .insufficientMemory, path: "table", place: "there", "is too large", remedy: "choose another")
    let found = errors(ranks: 3) { ranks in
      try ranks.together { if ranks.rank > 0 { throw problem } }
    }
    let expected = try #require(found[0])
    #expect(found == [expected, expected, expected])
    #expect(expected.kind == .insufficientMemory)
    #expect(
      expected.description
        == "rank 1 on \(hostName): table: there: is too large. Choose another.")
    let none = errors(ranks: 3) { ranks in
      let values = try ranks.together { ranks.rank }
      #expect(values == [0, 1, 2])
    }
    #expect(none == [nil, nil, nil])
  }

  @Test func aProcessAloneKeepsItsError() {
    let problem = LocatedError(.locked, path: "run", "is in use", remedy: "wait")
    #expect(throws: problem) { try SoleProcess().together { throw problem } }
  }

  @Test func ranksOfAMachineShareItsMemory() throws {
    let free = 3 * Memory.reserve
    func needing(_ bytes: Int, exceptLeader: Bool = false) -> [LocatedError?] {
      errors(ranks: 4) { ranks in
        try ranks.requireMemory(
          exceptLeader && ranks.isLeader ? 0 : bytes, of: ranks.rank == 3 ? free : nil,
          for: "the network")
      }
    }
    // Four quarters of what is left fit, and three thirds if the leader has its network already.
    #expect(needing((free - Memory.reserve) / 4) == [nil, nil, nil, nil])
    #expect(needing((free - Memory.reserve) / 3, exceptLeader: true) == [nil, nil, nil, nil])
    let error = try #require(needing((free - Memory.reserve) / 3)[2])
    #expect(error.kind == .insufficientMemory)
    #expect(error.description.contains("rank 0 on \(hostName): the network of the 4 ranks there"))
    #expect(needing(free, exceptLeader: true)[0]?.path.hasPrefix("rank 1") == true)
  }
}

@Suite struct RankLoopTests {
  private enum Order: Codable { case add(Int), fail(rank: Int) }

  /// Gives orders on some ranks, and returns the errors and what each rank has added up.
  private func run(
    ranks: Int, _ lead: @escaping @Sendable (_ give: (Order) throws -> [Int]) throws -> Void
  ) -> (errors: [LocatedError?], sums: [Int]) {
    let sums = Mutex(Array(repeating: 0, count: ranks))
    let errors = errors(ranks: ranks) { communicator in
      let rank = communicator.rank
      func carryOut(_ order: Order) throws -> Int {
        switch order {
        case .add(let number):
          return sums.withLock {
            $0[rank] += number * (rank + 1); return $0[rank]
          }
        case .fail(let failing):
          if rank == failing { throw LocatedError(.locked, path: "p", "is in use", remedy: "wait") }
          return 0
        }
      }
      guard communicator.isLeader else {
        return try RankLoop<Order, Int>.follow(communicator, carryOut)
      }
      let loop = RankLoop<Order, Int>(leading: communicator)
      try lead { order in try loop.order(order) { try carryOut(order) } }
    }
    return (errors, sums.withLock(\.self))
  }

  @Test(arguments: [1, 3]) func allRanksCarryOutEveryOrder(ranks: Int) {
    let replies = Mutex<[[Int]]>([])
    // The loop ends with the last reference to it.
    let (errors, sums) = run(ranks: ranks) { give in
      for number in [1, 10] {
        let all = try give(.add(number))
        replies.withLock { $0.append(all) }
      }
    }
    #expect(errors == Array(repeating: nil, count: ranks))
    #expect(sums == Array([11, 22, 33].prefix(ranks)))
    #expect(
      replies.withLock(\.self) == [
        Array([1, 2, 3].prefix(ranks)), Array([11, 22, 33].prefix(ranks)),
      ])
  }

  @Test(arguments: 0..<3) func anOrderThatFailsOnARankEndsTheLoopOnAll(failing: Int) {
    let (errors, sums) = run(ranks: 3) { give in
      _ = try give(.add(1))
      _ = try give(.fail(rank: failing))
      _ = try give(.add(1))
    }
    let description = "rank \(failing) on \(hostName): p: is in use. Wait."
    #expect(errors.map { $0?.description } == [description, description, description])
    #expect(sums == [1, 2, 3])
  }

  @Test func anErrorOfRank0BetweenOrdersEndsTheLoop() {
    let problem = LocatedError(.locked, path: "p", "is in use", remedy: "wait")
    let (errors, sums) = run(ranks: 3) { give in
      _ = try give(.add(1))
      throw JobFailure(error: problem)
    }
    #expect(errors == [problem, nil, nil])
    #expect(sums == [1, 2, 3])
  }

  @Test func anOrderCanContainALoopWhoseFailureIsReportedOnce() {
    let errors = errors(ranks: 2) { communicator in
      func carryOut(_: Int) throws -> Int {
        let inner: (Int) throws -> Int = { _ in
          if communicator.rank == 1 {
            throw LocatedError(.usage, path: "p", "is wrong", remedy: "fix it")
          }
          return 0
        }
        guard communicator.isLeader else {
          try RankLoop<Int, Int>.follow(communicator, inner)
          return 0
        }
        return try RankLoop<Int, Int>(leading: communicator).order(2) { try inner(2) }[0]
      }
      guard communicator.isLeader else {
        return try RankLoop<Int, Int>.follow(communicator, carryOut)
      }
      _ = try RankLoop<Int, Int>(leading: communicator).order(1) { try carryOut(1) }
    }
    let description = "rank 1 on \(hostName): p: is wrong. Fix it."
    #expect(errors.map { $0?.description } == [description, description])
  }
}
