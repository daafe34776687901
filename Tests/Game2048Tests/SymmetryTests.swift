import TestSupport
import Testing

@testable import Game2048

@Suite struct SymmetryTests {
  @Test(arguments: [2, 3, 4])
  func imagesAgreeWithCoordinates(size: Int) {
    let symmetries = Rules(size: size).symmetries
    var boards = RandomBoards(seed: 21, size: size)
    for _ in 0..<500 {
      let board = boards.next(exponents: 1...17)
      for reference in ReferenceSymmetry.all(size: size) {
        let image = symmetries.image(reference.index, of: board)
        #expect(image == reference.image(of: board))
        #expect(symmetries.images(of: board.planes)[reference.index] == image.planes)
      }
    }
  }

  @Test(arguments: [2, 3, 4])
  func imagesOfAGenericBoardFormAGroup(size: Int) {
    let symmetries = Rules(size: size).symmetries
    var exponents = [Int](repeating: 0, count: 16)
    for cell in 0..<size * size { exponents[4 * (cell / size) + cell % size] = cell + 1 }
    let board = Board(exponents: exponents)
    let images = (0..<Symmetries.count).map { symmetries.image($0, of: board) }
    #expect(images[0] == board)
    #expect(Set(images).count == 8)
    // The group is closed: an image of an image is an image of the board, and every image reaches every other.
    for image in images {
      #expect(Set((0..<8).map { symmetries.image($0, of: image) }) == Set(images))
    }
    // The mirrors, the half turn and the transposition are their own inverses, and so is 7, the transposition
    // along the other diagonal. 5 and 6 are quarter turns.
    for index in [1, 2, 3, 4, 7] {
      #expect(symmetries.image(index, of: images[index]) == board)
    }
    #expect(symmetries.image(6, of: images[5]) == board)
    #expect(symmetries.image(5, of: images[5]) == images[3])
  }

  @Test(arguments: [2, 3, 4])
  func movesOfImagesAreImagesOfMoves(size: Int) {
    let rules = Rules(size: size)
    var boards = RandomBoards(seed: 22, size: size)
    for _ in 0..<500 {
      for board in [boards.next(), boards.nextLarge()] {
        let moves = rules.moves(from: board)
        for symmetry in ReferenceSymmetry.all(size: size) {
          let imageMoves = rules.moves(from: rules.symmetries.image(symmetry.index, of: board))
          for direction in Direction.allCases {
            let there = symmetry.image(of: direction)
            let image = rules.symmetries.image(symmetry.index, of: moves.afterstate(direction))
            #expect(imageMoves.afterstate(there) == image)
            #expect(imageMoves.reward(there) == moves.reward(direction))
          }
        }
      }
    }
  }

  @Test(arguments: [2, 3, 4])
  func imagesOfFourBoardsAreTheImagesOfEach(size: Int) {
    let symmetries = Rules(size: size).symmetries
    var boards = RandomBoards(seed: 23, size: size)
    for _ in 0..<200 {
      let four = (0..<4).map { _ in boards.next(exponents: 1...15).planes }
      var order: [Int] = []
      symmetries.forEachImage(of: SIMD4(four)) { index, planes in
        order.append(index)
        for number in 0..<4 {
          #expect(planes[number] == symmetries.images(of: four[number])[index])
        }
      }
      #expect(order == Array(0..<8))
    }
  }
}
