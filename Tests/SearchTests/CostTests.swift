import Game2048
import TestSupport
import Testing

@testable import Search

/// What a choice of move costs besides its arithmetic. These tests count, and time nothing.
@Suite(.enabled(if: Counters.areAvailable)) struct CostTests {
  private let network = TestNetworks.random(["0123", "4567"])
  private let boards = SampleBoards.random(50).filter { !Rules.standard.isOver($0) }

  /// What moves on some boards cost a player that has moved before.
  private func counters(_ text: String, boards count: Int) throws -> Counters {
    let boards = boards.prefix(count)
    func measure(_ player: some Player) -> Counters {
      var player = player
      _ = player.chooseMove(from: boards[0])
      return Counters.of { for board in boards { _ = player.chooseMove(from: board) } }
    }
    return measure(try PlayerSpecification(text).makePlayer(seed: 1) { _ in network })
  }

  @Test(arguments: [
    "learned:depth=2", "heuristic:depth=2", "heuristic:depth=3",
    "expectimax:evaluator=compositeA,depth=2",
  ])
  func searchAllocatesNothing(player: String) throws {
    #expect(try counters(player, boards: 10).allocations == 0)
    #expect(try counters(player, boards: 50).allocations == 0)
  }

  @Test func greedyPlayAllocatesAndRetainsNothing() throws {
    #expect(try counters("learned:depth=1", boards: 50) == Counters())
  }
}
