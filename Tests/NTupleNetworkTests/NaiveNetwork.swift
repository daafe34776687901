import Game2048
import TestSupport

@testable import NTupleNetwork

/// Returns the index of an entry in a pattern's table, bit by bit: plane by plane, with the cells of the image
/// with the largest mask in ascending order.
func naiveMemoryIndex(cells: [Int], exponents: [Int], boardSize: Int = 4) -> Int {
  let cells = ReferenceSymmetry.memoryCells(cells, size: boardSize)
  var bits: [Int] = []
  for bit in 0..<4 {
    for cell in cells.sorted() {
      bits.append(exponents[cells.firstIndex(of: cell)!] >> bit & 1)
    }
  }
  return bits.reversed().reduce(0) { 2 * $0 + $1 }
}

/// Returns the exponents after reducing those above the largest missing one by 1 until all are below `exponent`.
func naivelyDowngraded(_ exponents: [Int], from exponent: Int) -> [Int] {
  let largest = exponents.max() ?? 0
  guard largest >= exponent,
    let missing = (6..<max(6, largest)).last(where: { !exponents.contains($0) })
  else { return exponents }
  return naivelyDowngraded(exponents.map { $0 > missing ? $0 - 1 : $0 }, from: exponent)
}

/// A level of a board by its largest and its missing tile, and whether there is a pair above the missing one.
struct NaiveLevel: Hashable {
  var largest: Int
  var missing: Int
  var hasPair: Bool

  init(_ exponents: [Int]) {
    let top = exponents.max() ?? 0
    let hole = (6..<max(6, top)).last { !exponents.contains($0) } ?? 5
    (largest, missing) = (top, hole)
    hasPair = hole > 5 && exponents.count { $0 == hole + 1 } > 1
  }
}

/// An n-tuple network that computes values from exponents and mapped coordinates.
struct NaiveNetwork {
  var shape: NetworkShape
  var weights: [Float]
  var offsets: [NaiveLevel: Float] = [:]

  /// Returns the sum of the offsets of all steps that downgrade a board with exponents up to 15.
  func offset(of exponents: [Int]) -> Double {
    guard let least = shape.downgrading.exponent, exponents.max()! >= least else { return 0 }
    let level = NaiveLevel(exponents)
    let next = exponents.map { $0 > level.missing ? $0 - 1 : $0 }
    return Double(offsets[level] ?? 0) + (level.missing == 5 ? 0 : offset(of: next))
  }

  /// Returns the offsets of the features of a board, including repeated ones.
  func features(of board: Board) -> [Int] {
    let read = naivelyDowngraded(board.exponents, from: shape.downgrading.exponent ?? .max)
    return zip(shape.patterns, shape.tableOffsets).flatMap { pattern, offset in
      ReferenceSymmetry.all(size: shape.boardSize).map { symmetry in
        let image = symmetry.image(of: read)
        let exponents = pattern.cells.map { min(image[$0], 15) }
        return offset
          + naiveMemoryIndex(
            cells: pattern.cells, exponents: exponents, boardSize: shape.boardSize)
      }
    }
  }

  /// Returns the weight that is read at `offset`.
  func weight(at offset: Int) -> Float { weights[readOffset(at: offset)] }

  /// Returns the offset of the entry that is read at `offset`: the entry itself, or if it is 0, the one
  /// that is promoted from the nearest earlier stage in which that is not 0.
  func readOffset(at offset: Int) -> Int {
    guard weights[offset] == 0, let source = ReferencePromotion.source(of: offset, in: shape)
    else { return offset }
    return readOffset(at: source)
  }

  /// Returns the value of a board in `stage`.
  func value(of board: Board, stage: Int = 0) -> Double {
    // A tile above 32768 is read as a smaller one before any offset counts.
    let small = naivelyDowngraded(board.exponents, from: 16).map { min($0, 15) }
    return features(of: board).reduce(offset(of: small)) {
      $0 + Double(weight(at: $1 + stage * shape.stageStride))
    }
  }
}

/// A network and its naive twin with the same random weights.
func randomNetworks(
  _ patterns: [String], boardSize: Int, stages: StageRule = .single,
  downgrading: Downgrading = .none, seed: UInt64 = 1, weights range: ClosedRange<Float>
) throws -> (NTupleNetwork, NaiveNetwork) {
  let shape = NetworkShape(
    patterns: try patterns.map { try Pattern($0, boardSize: boardSize) }, boardSize: boardSize,
    stages: stages, downgrading: downgrading)
  let network = NTupleNetwork(shape)
  var source = Xoshiro256(seed: seed)
  let weights = (0..<shape.storageCount).map { _ in Float.random(in: range, using: &source) }
  for (offset, weight) in weights.enumerated() { network.weights[offset] = weight }
  return (network, NaiveNetwork(shape: shape, weights: weights))
}

/// A board size, and patterns for it.
struct NetworkCase: Sendable {
  var boardSize: Int
  var patterns: [String]

  static let all = [
    NetworkCase(boardSize: 4, patterns: ["0", "5", "12"]),
    NetworkCase(boardSize: 4, patterns: ["0123", "456", "9510", "f0"]),
    NetworkCase(boardSize: 4, patterns: ["012456"]),
    NetworkCase(boardSize: 3, patterns: ["01", "456", "a950"]),
    NetworkCase(boardSize: 2, patterns: ["0", "14", "5410"]),
  ]
}
