import Game2048
import TestSupport
import Testing

@testable import NTupleNetwork

@Suite struct GreedyMoveTests {
  /// Returns the same choice, computed by a plain loop over the moves of the reference.
  private func plain(_ network: any PlayableNetwork, _ game: ReferenceGame, _ board: Board)
    -> (direction: Direction, afterstate: Board, reward: Int, value: Float)?
  {
    var best: (direction: Direction, afterstate: Board, reward: Int, value: Float)?
    for direction in Direction.allCases {
      guard let move = game.move(game.tiles(of: board), direction) else { continue }
      let afterstate = game.board(of: move.tiles)
      let value = network.value(ofPlanes: afterstate.saturatedPlanes)
      if best == nil || Float(move.points) + value > Float(best!.reward) + best!.value {
        best = (direction, afterstate, move.points, value)
      }
    }
    return best
  }

  private func expectPlainChoices(_ network: any PlayableNetwork, size: Int, seed: UInt64) {
    let rules = Rules(size: size)
    let game = ReferenceGame(size: size)
    var boards = RandomBoards(seed: seed, size: size)
    var over = 0
    for _ in 0..<500 {
      for board in [boards.next(), boards.next(exponents: 1...17), boards.nextLarge()] {
        let move = network.greedyMove(from: board, rules: rules)
        let expected = plain(network, game, board)
        if expected == nil { over += 1 }
        #expect(move?.direction == expected?.direction)
        #expect(move?.afterstate == expected?.afterstate)
        #expect((move?.reward).map(Int.init) == expected?.reward)
        #expect(move?.value == expected?.value)
      }
    }
    #expect(over > 0)
  }

  @Test(arguments: NetworkCase.all)
  func greedyMovesAreThoseOfAPlainLoop(_ network: NetworkCase) throws {
    let (fast, _) = try randomNetworks(
      network.patterns, boardSize: network.boardSize, weights: -100...100)
    expectPlainChoices(fast, size: network.boardSize, seed: 61)
    let frozen = FrozenNetwork.random(fast.shape, seed: 61)
    expectPlainChoices(frozen, size: network.boardSize, seed: 63)
  }

  @Test(arguments: [2, 3, 4])
  func ofEqualMovesTheFirstWins(size: Int) throws {
    // Without weights only rewards count, and most moves tie.
    let (network, _) = try randomNetworks(["01"], boardSize: size, weights: 0...0)
    expectPlainChoices(network, size: size, seed: 62)
  }

  @Test func writtenExamples() throws {
    let (network, _) = try randomNetworks(["0"], boardSize: 4, weights: 0...0)
    let game = ReferenceGame()
    func choice(_ rows: String) -> Direction? {
      network.greedyMove(from: game.board(rows), rules: .standard)?.direction
    }
    #expect(choice("0 0 0 0 / 0 2 0 0 / 0 0 0 0 / 0 0 0 0") == .up)
    #expect(choice("2 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0") == .down)
    #expect(choice("2 2 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0") == .left)
    #expect(choice("2 4 2 4 / 4 2 4 2 / 2 4 2 4 / 4 2 4 2") == nil)
    // A 2 in a corner has a higher value than the merge that would remove it.
    network.weights[1] = 10
    #expect(choice("2 0 0 0 / 2 0 0 0 / 0 0 0 0 / 4 0 0 0") == .right)
  }

  @Test func veryNegativeValuesStillChoose() throws {
    let (network, _) = try randomNetworks(["0"], boardSize: 4, weights: -1e30 ... -1e30)
    let board = ReferenceGame().board("0 0 0 0 / 0 2 0 0 / 0 0 0 0 / 0 0 0 0")
    let move = try #require(network.greedyMove(from: board, rules: .standard))
    #expect(move.direction == .up && move.value == -8e30)
  }

  @Test func afterstatesOfMergedVeryLargeTilesAreWhole() throws {
    let (network, _) = try randomNetworks(["01"], boardSize: 4, weights: 0...0)
    let board = ReferenceGame().board("65536 65536 0 0 / 4 4 0 0 / 0 0 0 0 / 0 0 0 0")
    let move = try #require(network.greedyMove(from: board, rules: .standard))
    #expect(move.direction == .left && move.reward == 131_080)
    #expect(
      move.afterstate == ReferenceGame().board("131072 0 0 0 / 8 0 0 0 / 0 0 0 0 / 0 0 0 0"))
  }
}
