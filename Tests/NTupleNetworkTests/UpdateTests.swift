import Game2048
import TestSupport
import Testing

@testable import NTupleNetwork

@Suite struct UpdateTests {
  private let game = ReferenceGame()

  private func network(_ patterns: String...) throws -> NTupleNetwork {
    try randomNetworks(patterns, boardSize: 4, weights: 0...0).0
  }

  @Test func everyFeatureOfTheEmptyBoardIsTheSame() throws {
    let network = try network("0")
    network.add(0.5, toFeaturesOf: 0)
    #expect(network.weights[0] == 4)
    #expect((1..<16).allSatisfy { network.weights[$0] == 0 })
    #expect(network.value(of: Board()) == 32)
  }

  @Test func aTileInOneCornerIsSeenTwiceFromACorner() throws {
    let network = try network("0")
    let board = game.board("8 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0")
    network.add(1, toFeaturesOf: board.planes)
    // Each corner is the image of cell 0 under two of the eight symmetries.
    #expect(network.weights[3] == 2)
    #expect(network.weights[0] == 6)
    #expect(network.value(of: board) == 2 * 2 + 6 * 6)
  }

  @Test func equalCornersAccumulateEightSteps() throws {
    let network = try network("0", "5")
    let board = game.board("4 0 0 4 / 0 2 2 0 / 0 2 2 0 / 4 0 0 4")
    network.add(-0.25, toFeaturesOf: board.planes)
    #expect(network.weights[2] == -2)
    #expect(network.weights[16 + 1] == -2)
    #expect(network.value(of: board) == -32)
  }

  @Test func aPairIsSeenFromBothEnds() throws {
    let network = try network("01")
    // From each corner the row reads 2 4, and the column 2 and empty.
    let board = game.board("2 4 4 2 / 0 0 0 0 / 0 0 0 0 / 2 4 4 2")
    network.add(1, toFeaturesOf: board.planes)
    // Read at cells 15 and 14, so cell 0 is the higher one: plane by plane, its exponent 1 is bit 1, and
    // exponent 2 of cell 1 is bit 2.
    #expect(network.weights[0b0110] == 4)
    #expect(network.weights[0b0010] == 4)
    #expect(network.value(of: board) == 32)
  }

  @Test(arguments: NetworkCase.all)
  func addingTouchesTheFeaturesOnceForEachSymmetry(_ network: NetworkCase) throws {
    var (fast, naive) = try randomNetworks(
      network.patterns, boardSize: network.boardSize, weights: 0...0)
    var boards = RandomBoards(seed: 71, size: network.boardSize)
    for round in 0..<50 {
      let board = round % 2 == 0 ? boards.next(exponents: 1...3) : boards.nextLarge()
      // Steps of small powers of two add up exactly in any order.
      let step = Float(round % 5 - 2) * 0.25
      fast.add(step, toFeaturesOf: board.saturatedPlanes)
      for feature in naive.features(of: board) { naive.weights[feature] += step }
    }
    let wrong = naive.weights.indices.filter { naive.weights[$0] != fast.weights[$0] }
    #expect(wrong.isEmpty)
    #expect(naive.weights.contains { $0 != 0 })
  }

  @Test func filledWeightsAreReadEverywhere() throws {
    let network = try network("012", "5")
    network.weights.fill(with: 2.5)
    #expect(network.value(of: game.board("2 4 8 16 / 0 0 2 0 / 0 0 0 0 / 0 0 0 0")) == 40)
    network.weights.withUnsafeWeights { #expect($0.count == 4096 + 16 && $0[4111] == 2.5) }
  }
}
