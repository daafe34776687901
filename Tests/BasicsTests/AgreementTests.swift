import Synchronization
import TestSupport
import Testing

@testable import Basics

/// What every rank of a job throws.
private func errors(
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
    #expect(errors(ranks: 3) { ranks in _ = try ranks.together { ranks.rank } } == [nil, nil, nil])
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
