import Evaluators
import Game2048
import NTupleNetwork
import Search
import TestSupport
import Testing

/// What a node costs besides its arithmetic: nothing. These tests count, and time nothing.
@Suite(.enabled(if: Counters.areAvailable)) struct SearchCostTests {
  /// Of searches that differ only in their size, none allocates or counts references more.
  @Test(arguments: [
    "heuristic:depth=D", "learned:depth=D", "learned:depth=D,table=0",
    "expectimax:evaluator=compositeA,depth=D,probability=0.0001",
  ])
  func nodesAllocateAndRetainNothing(text: String) throws {
    let network = smallNetwork()
    let board = try Board(text: "1230402302346503")
    let costs = try (2...4).map { depth in
      let player = try #require(
        PlayerSpecification(text.replacing("D", with: "\(depth)"))
          .makePlayer(seed: 1) { _ in network } as? any SearchingPlayer)
      // What is set up once, by a library too, is set up in the first search.
      _ = player.search(board)
      var nodes = 0
      let counters = Counters.of { nodes = player.search(board.flipped).nodes }
      return (nodes: nodes, counters: counters)
    }
    #expect(costs[2].nodes > 50 * costs[0].nodes)
    #expect(costs[0].counters == costs[1].counters && costs[1].counters == costs[2].counters)
    #expect(costs[2].counters.allocations <= 10 && costs[2].counters.referenceOperations <= 40)
  }
}

extension Board {
  /// The board upside down, for a search that has not been made yet.
  fileprivate var flipped: Board {
    Board(exponents: (0..<4).reversed().flatMap { row in (0..<4).map { self[4 * row + $0] } })
  }
}
