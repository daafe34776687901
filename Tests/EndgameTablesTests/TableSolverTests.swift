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

/// The shapes of chains that make a 32.
let chainShapes: [TableShape] = [
  TableShape(locked: CellSet("###./###./..../....")!, goal: 5, target: .chain, margin: 0)!,
  TableShape(locked: CellSet("###./##../..../....")!, goal: 5, target: .chain, margin: 0)!,
]

@Suite struct TableSolverTests {
  @Test(arguments: smallShapes + [chainShapes[0]])
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
    let largest = shape.largestExponents
    let contents = largest.reduce(1) { $0 * ($1 + 1) }
    let mostSum = largest.reduce(0) { $0 + ($1 > 0 ? 1 << $1 : 0) }
    let beyond = contents - index.layerSizes.reduce(0, +)
    #expect(shape.largestSum >= mostSum ? beyond == 0 : beyond > 0)
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
    var comparison = Comparison(shape)
    var reach: [TableSolver.Reach] = []
    for layer in 0..<shape.layerCount {
      reach.append(
        solver.reach(
          layer, after: reach.last?.afterstates,
          layer > 1 ? reach[layer - 2].afterstates : nil))
    }
    var next: LayerMemory<UInt16>?
    var afterNext: LayerMemory<UInt16>?
    for layer in (0..<shape.layerCount).reversed() {
      let values = solver.afterstateValues(
        layer, of: reach[layer].afterstates, next: next, afterNext)
      afterNext = next
      next = solver.stateValues(layer, of: reach[layer].states, afterstates: values)
      let bits = reach[layer].afterstates
      solver.index.forEach(of: bits, layer: layer, words: 0..<bits.count) { number, planes in
        let found = unsafe Double(values.base[number]) / Double(TableSolver.certain)
        comparison.compare(found, planes)
      }
    }
    comparison.requireMany()
  }

  /// Of chains the slow solver solves the last layers, in which few tiles may still appear.
  @Test(arguments: chainShapes)
  func probabilitiesOfChainsAreThoseOfASlowSolver(shape: TableShape) throws {
    let solver = TableSolver(shape, threads: 2)
    var comparison = Comparison(shape)
    var next: LayerMemory<UInt16>?
    var afterNext: LayerMemory<UInt16>?
    for layer in ((shape.layerCount - 4)..<shape.layerCount).reversed() {
      let all = LayerBits(places: solver.index.layerSizes[layer])
      all.insertAll(places: solver.index.layerSizes[layer])
      let values = solver.afterstateValues(layer, of: all, next: next, afterNext)
      afterNext = next
      next = solver.stateValues(layer, of: all, afterstates: values)
      solver.index.forEach(of: all, layer: layer, words: 0..<all.count) { number, planes in
        let found = unsafe Double(values.base[number]) / Double(TableSolver.certain)
        if number % 97 != 0 && !(found > 0.01 && number % 7 == 0) { return }
        comparison.compare(found, planes)
      }
    }
    comparison.requireMany()
  }
}

/// Compares probabilities with those of a slow solver.
private struct Comparison {
  let shape: TableShape
  let reference: ReferenceSolver
  /// The number of boards, and of those that are neither nearly lost nor nearly won.
  var (compared, inside) = (0, 0)

  init(_ shape: TableShape) {
    self.shape = shape
    reference = ReferenceSolver(shape)
  }

  mutating func compare(_ found: Double, _ planes: UInt64) {
    let board = Board(planes: planes | shape.emptyBoard.planes)
    let expected = reference.probability(after: board)
    #expect(abs(found - expected) < 0.000_5, "\(board)")
    compared += 1
    inside += expected > 0.01 && expected < 0.99 ? 1 : 0
  }

  func requireMany() {
    #expect(compared > 50 && inside > 20, "\(compared) \(inside)")
  }
}
