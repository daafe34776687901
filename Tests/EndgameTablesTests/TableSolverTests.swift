import Game2048
import Testing

@testable import EndgameTables

/// Shapes that a slow solver can solve: cells, goal, margin and probability of a 4.
let smallShapes: [TableShape] = [
  TableShape(locked: CellSet("####/####/####/....")!, goal: 4)!,
  TableShape(locked: CellSet("####/####/####/....")!, goal: 4, margin: 4)!,
  TableShape(locked: CellSet("####/####/##../##..")!, goal: 4, fourProbability: 0.5)!,
  TableShape(locked: CellSet("####/####/#.../#...")!, goal: 5, margin: 16)!,
  TableShape(locked: CellSet("####/##.#/#.../#.#.")!, goal: 4)!,
]

@Suite struct TableSolverTests {
  @Test(arguments: smallShapes)
  func everyContentHasOneNumber(shape: TableShape) throws {
    let index = FreeCellIndex(shape)
    #expect(index.layerSizes == shape.layerSizes)
    for (layer, size) in index.layerSizes.enumerated() {
      let all = LayerBits(places: size)
      all.insertAll(places: size)
      var (count, boards) = (0, Set<UInt64>())
      index.forEach(of: all, layer: layer, words: 0..<all.count) { number, planes in
        #expect(number == count)
        let place = index.place(of: planes)
        #expect(place?.layer == layer && place?.number == number)
        let tiles = Board(planes: planes).tiles
        #expect(tiles.reduce(0, +) == 2 * layer)
        boards.insert(planes)
        count += 1
      }
      #expect(count == size && boards.count == size)
    }
    let contents = (0..<shape.freeCellCount).reduce(1) { product, _ in product * shape.goal }
    let beyond = contents - index.layerSizes.reduce(0, +)
    #expect(shape.largestSum >= shape.freeCellCount << (shape.goal - 1) ? beyond == 0 : beyond > 0)
  }

  @Test func theGoalAndLargerSumsHaveNoNumber() {
    let index = FreeCellIndex(smallShapes[1])
    #expect(
      index.place(of: Board(exponents: Array(repeating: 0, count: 12) + [4, 0, 0, 0]).planes) == nil
    )
    #expect(
      index.place(of: Board(exponents: Array(repeating: 0, count: 12) + [3, 3, 3, 3]).planes) == nil
    )
    #expect(
      index.place(of: Board(exponents: Array(repeating: 0, count: 12) + [3, 3, 2, 0]).planes) != nil
    )
  }

  @Test(arguments: smallShapes, [1, 2])
  func probabilitiesAreThoseOfASlowSolver(shape: TableShape, threads: Int) throws {
    let solver = TableSolver(shape, threads: threads)
    let reference = ReferenceSolver(shape)
    var reach: [TableSolver.Reach] = []
    for layer in 0..<shape.layerCount {
      reach.append(
        solver.reach(
          layer, after: reach.last?.afterstates,
          layer > 1 ? reach[layer - 2].afterstates : nil))
    }
    var next: LayerMemory<UInt16>?
    var afterNext: LayerMemory<UInt16>?
    var (compared, inside) = (0, 0)
    for layer in (0..<shape.layerCount).reversed() {
      let values = solver.afterstateValues(
        layer, of: reach[layer].afterstates, next: next, afterNext)
      afterNext = next
      next = solver.stateValues(layer, of: reach[layer].states, afterstates: values)
      let bits = reach[layer].afterstates
      solver.index.forEach(of: bits, layer: layer, words: 0..<bits.count) { number, planes in
        let found = unsafe Double(values.base[number]) / Double(TableSolver.certain)
        let board = Board(planes: planes | shape.emptyBoard.planes)
        let expected = reference.probability(after: board)
        #expect(abs(found - expected) < 0.000_5, "\(board)")
        compared += 1
        inside += expected > 0.01 && expected < 0.99 ? 1 : 0
      }
    }
    #expect(compared > 50 && inside > 20, "\(compared) \(inside)")
  }
}
