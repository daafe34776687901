import Game2048
import NTupleNetwork
import TestSupport
import Testing

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
    // Plane by plane: exponent 1 of cell 0 is bit 0, exponent 2 of cell 1 is bit 3.
    #expect(network.weights[0b1001] == 4)
    #expect(network.weights[0b0001] == 4)
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

  @Test(arguments: NetworkCase.all)
  func gatheringListsTheFeaturesAndScatteringAddsToThem(_ network: NetworkCase) throws {
    let (one, naive) = try randomNetworks(
      network.patterns, boardSize: network.boardSize, weights: -8...8)
    let (two, _) = try randomNetworks(
      network.patterns, boardSize: network.boardSize, weights: -8...8)
    var boards = RandomBoards(seed: 72, size: network.boardSize)
    // Batches of three rows in lines of four, so that the lines' ends must be left alone.
    let (rows, stride) = (3, 4)
    let images = BoardImages(capacity: rows)
    let steps: [Float] = [0.375, -0.25, 0.5]
    var indices = [UInt32](
      repeating: 0, count: one.featureCount * stride + NTupleNetwork.scatterLookahead)
    var matrix = [Float](repeating: .nan, count: one.featureCount * stride)
    for round in 0..<50 {
      let batch = (0..<rows).map { row in
        (round + row) % 2 == 0 ? boards.next(exponents: 1...3) : boards.nextLarge()
      }
      for (row, board) in batch.enumerated() {
        images.store(planes: board.saturatedPlanes, row: row, symmetries: one.symmetries)
      }
      one.gather(
        featuresOf: images, rows: rows, matrix: &matrix, indices: &indices, stride: stride)
      for (row, board) in batch.enumerated() {
        for (place, feature) in naive.features(of: board).enumerated() {
          let offset = naive.shape.tableOffsets[place / Symmetries.count]
          #expect(offset + Int(indices[place * stride + row]) == feature)
          #expect(matrix[place * stride + row] == one.weights[feature])
        }
      }
      #expect(matrix.indices.allSatisfy { $0 % stride < rows || matrix[$0].isNaN })
      one.scatter(steps, rows: rows, indices: indices, stride: stride)
      for (step, board) in zip(steps, batch) {
        two.add(step, toFeaturesOf: board.saturatedPlanes)
      }
    }
    let wrong = naive.weights.indices.filter { one.weights[$0] != two.weights[$0] }
    #expect(wrong.isEmpty)
    #expect(naive.weights.indices.contains { one.weights[$0] != naive.weights[$0] })
  }

  @Test func filledWeightsAreReadEverywhere() throws {
    let network = try network("012", "5")
    network.weights.fill(with: 2.5)
    #expect(network.value(of: game.board("2 4 8 16 / 0 0 2 0 / 0 0 0 0 / 0 0 0 0")) == 40)
    network.weights.withUnsafeWeights { #expect($0.count == 4096 + 16 && $0[4111] == 2.5) }
  }
}
