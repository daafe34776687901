import Game2048
import TestSupport
import Testing

@testable import NTupleNetwork

@Suite struct ValueTests {
  private func boards(_ size: Int, seed: UInt64) -> [Board] {
    var boards = RandomBoards(seed: seed, size: size)
    return (0..<300).flatMap { _ in
      [boards.next(), boards.next(exponents: 1...17), boards.nextLarge()]
    }
  }

  @Test(arguments: NetworkCase.all)
  func valuesAreTheNaiveSums(_ network: NetworkCase) throws {
    let (fast, naive) = try randomNetworks(
      network.patterns, boardSize: network.boardSize, weights: -1_000...1_000)
    for board in boards(network.boardSize, seed: 51) {
      let expected = naive.value(of: board)
      // Each of up to 32 terms of at most 1,000 is rounded to 24 bits.
      #expect(abs(fast.value(of: board) - expected) < 0.02)
      #expect(Double(fast.value(ofPlanes: board.saturatedPlanes)) == fast.value(of: board))
    }
  }

  @Test(arguments: NetworkCase.all)
  func wholeWeightsSumExactly(_ network: NetworkCase) throws {
    var (fast, naive) = try randomNetworks(
      network.patterns, boardSize: network.boardSize, weights: -1_000...1_000)
    for offset in naive.weights.indices {
      naive.weights[offset] = naive.weights[offset].rounded()
      fast.weights[offset] = naive.weights[offset]
    }
    for board in boards(network.boardSize, seed: 52) {
      #expect(fast.value(of: board) == naive.value(of: board))
    }
  }

  @Test(arguments: NetworkCase.all)
  func valuesAreInvariantUnderSymmetries(_ network: NetworkCase) throws {
    let (fast, _) = try randomNetworks(
      network.patterns, boardSize: network.boardSize, weights: -1_000...1_000)
    for board in boards(network.boardSize, seed: 53) {
      let value = fast.value(of: board)
      for symmetry in ReferenceSymmetry.all(size: network.boardSize) {
        #expect(abs(fast.value(of: symmetry.image(of: board)) - value) < 0.02)
      }
    }
  }

  @Test func anEvaluatorOfPointsToCome() throws {
    let (network, _) = try randomNetworks(["0"], boardSize: 4, weights: 0...0)
    #expect(network.rewardWeight == 1)
    #expect(network.terminalValue == 0)
    #expect(network.featureCount == 8)
    #expect(network.value(of: Board()) == 0)
  }

  @Test func tilesAbove32768AreReadAs32768() throws {
    let (network, _) = try randomNetworks(["0123"], boardSize: 4, weights: -9...9)
    let game = ReferenceGame()
    let large = game.board("131072 65536 32768 2 / 65536 4 0 0 / 0 0 0 0 / 0 0 0 65536")
    let read = game.board("32768 32768 32768 2 / 32768 4 0 0 / 0 0 0 0 / 0 0 0 32768")
    #expect(network.value(of: large) == network.value(of: read))
    #expect(network.value(of: large) != network.value(of: Board()))
  }
}
