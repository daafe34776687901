import Game2048
import TestSupport
import Testing

@testable import Play
@testable import Search

/// The cost of choosing a move besides its arithmetic. These tests count calls; they do not measure time.
@Suite(.enabled(if: Counters.areAvailable)) struct CostTests {
  private let network = TestNetworks.random(["0123", "4567"])
  private let boards = SampleBoards.random(50).filter { !Rules.standard.isOver($0) }

  /// Returns the cost of moves on some boards for a player that has moved before.
  private func counters(_ text: String, boards count: Int) throws -> Counters {
    let boards = boards.prefix(count)
    func measure(_ player: some Player) -> Counters {
      var player = player
      _ = player.chooseMove(from: boards[0])
      return Counters.of { for board in boards { _ = player.chooseMove(from: board) } }
    }
    return measure(try PlayerFactory(network: network).player(PlayerSpecification(text), seed: 1))
  }

  @Test(arguments: [
    "learned:depth=2", "heuristic:depth=2", "heuristic:depth=3",
    "expectimax:evaluator=compositeA,depth=2", "learned:depth=3", "learned:nodes=500",
    "heuristic:depth=4,probability=0.001",
  ])
  func searchAllocatesNothing(player: String) throws {
    #expect(try counters(player, boards: 10).allocations == 0)
    #expect(try counters(player, boards: 50).allocations == 0)
  }

  /// A cost that does not increase with the number of nodes is not a cost per node.
  @Test(arguments: [
    "learned:", "heuristic:", "learned:table=0,", "expectimax:evaluator=compositeA,",
  ])
  func nodesRetainNothing(player: String) throws {
    let references = try (2...4).map {
      try counters("\(player)depth=\($0)", boards: 5).referenceOperations
    }
    #expect(references[0] <= 20 * 5)
    // Deeper searches also have a table.
    #expect(references[1] == references[2] && references[2] <= references[0] + 5 * 5)
  }

  @Test func greedyPlayAllocatesAndRetainsNothing() throws {
    #expect(try counters("learned:depth=1", boards: 50) == Counters())
  }
}
