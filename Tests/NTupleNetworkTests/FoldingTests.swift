import TestSupport
import Testing

@testable import NTupleNetwork

@Suite struct FoldingTests {
  @Test(arguments: [
    (["01234", "12", "7", "b"], ["01234"], Downgrading.none),
    // A chain: 15 is part of 951, and a rotation of that is part of 4567.
    (["15", "951", "7654"], ["7654"], Downgrading.none),
    // A pair in the middle has no image at the border.
    (["56", "210", "01245"], ["56", "01245"], Downgrading.none),
    // A line is not part of a square, nor a square of a line.
    (["0123", "0145", "4567"], ["0123", "0145", "4567"], Downgrading.none),
    // Large tiles are downgraded before and after folding.
    (["01234", "12", "7", "b"], ["01234"], Downgrading(from: 10)),
  ])
  func valuesStay(_ patterns: [String], _ kept: [String], _ downgrading: Downgrading) throws {
    let (network, _) = try randomNetworks(
      patterns, boardSize: 4, downgrading: downgrading, weights: -100...100)
    let folded = network.folded()
    #expect(folded.shape.patterns.map(\.description) == kept)
    var boards = RandomBoards(seed: 91, size: 4)
    for _ in 0..<300 {
      let board = boards.next()
      #expect(abs(network.value(of: board) - folded.value(of: board)) < 0.01)
    }
  }

  @Test func smallBoardsHaveTheirOwnSymmetries() throws {
    let (network, _) = try randomNetworks(["014", "5", "a9", "0"], boardSize: 3, weights: -9...9)
    let folded = network.folded()
    #expect(folded.shape.patterns.map(\.description) == ["014", "5"])
    var boards = RandomBoards(seed: 92, size: 3)
    for _ in 0..<200 {
      let board = boards.next()
      #expect(abs(network.value(of: board) - folded.value(of: board)) < 0.001)
    }
  }
}
