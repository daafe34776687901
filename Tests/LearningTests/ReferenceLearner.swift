import Game2048
import NTupleNetwork
import TestSupport

@testable import Learning

/// An afterstate of an episode, with the reward of the move that reached it.
struct Visit {
  var board: Board
  var reward: Double = 0
}

/// The update rules by their definitions, in double precision, one feature at a time.
struct ReferenceLearner {
  let network: NTupleNetwork
  var weights: [Double]
  /// E and A of every weight; nil for temporal difference learning.
  var coherence: (errors: [Double], absolute: [Double])?

  /// Creates a learner with a network's weights and with initial accumulators.
  init(_ network: NTupleNetwork, coherent: Bool) {
    self.network = network
    weights = TestNetworks.weights(of: network).map(Double.init)
    if coherent {
      coherence = (weights.map { _ in 0 }, weights.map { _ in 0 })
    }
  }

  /// Returns the offsets of a board's features, pattern by pattern and image by image.
  func features(_ board: Board) -> [Int] {
    let shape = network.shape
    let size = shape.boardSize
    let largest = board.largestTileExponent
    let stage = shape.stages.exponents.count { $0 <= largest }
    let board = naivelyDowngraded(board, by: shape.downgrading.exponent)
    return zip(network.shape.patterns, network.shape.tableOffsets).flatMap { pattern, table in
      let layout = IndexLayout(pattern, boardSize: size)
      let cells = ReferenceSymmetry.memoryCells(pattern.cells, size: size)
      return (0..<Symmetries.count).map { image in
        let seen = Rules(size: size).symmetries.image(image, of: board)
        return stage * shape.stageStride + table + layout.memoryIndex(of: cells.map { seen[$0] })
      }
    }
  }

  func value(_ board: Board) -> Double { features(board).reduce(0) { $0 + weight(at: $1) } }

  /// Returns the weight that is read at `offset`: its own, or if it is not learned, the promoted one.
  func weight(at offset: Int) -> Double {
    guard weights[offset] == 0,
      let source = ReferencePromotion.source(of: offset, in: network.shape)
    else { return weights[offset] }
    return weight(at: source)
  }

  /// Returns the TD errors of an episode for the current weights.
  func temporalDifferences(_ episode: [Visit]) -> [Double] {
    episode.indices.map { place in
      let target =
        place + 1 < episode.count
        ? episode[place + 1].reward + value(episode[place + 1].board) : 0
      return target - value(episode[place].board)
    }
  }

  /// Returns the share of an error by which a weight changes, times the number of features.
  func share(_ offset: Int, learningRate: Double) -> Double {
    guard let (sums, magnitudes) = coherence else { return learningRate }
    let ratio = magnitudes[offset] == 0 ? 1 : abs(sums[offset]) / magnitudes[offset]
    return min(1, learningRate * ratio)
  }

  /// Adds an error to the accumulators of a weight.
  mutating func remember(_ error: Double, magnitude: Double, of offset: Int) {
    guard coherence != nil else { return }
    coherence!.errors[offset] += error
    coherence!.absolute[offset] += magnitude
  }

  /// Updates the features of every row by its error, feature by feature and row by row.
  mutating func apply(_ errors: [Double], to boards: [Board], learningRate: Double) {
    let all = boards.map(features)
    let count = network.featureCount
    for feature in 0..<count {
      for (error, offsets) in zip(errors, all) {
        let offset = offsets[feature]
        weights[offset] =
          weight(at: offset) + share(offset, learningRate: learningRate) / Double(count) * error
        remember(error, magnitude: abs(error), of: offset)
      }
    }
  }
}

/// A board as a network with this downgrading reads it: as long as its largest tile is too large,
/// all tiles are halved that are larger than the largest of 64, 128, 256 and so on that it lacks.
func naivelyDowngraded(_ board: Board, by exponent: Int?) -> Board {
  guard let exponent else { return board }
  var tiles = board.tiles
  while let largest = tiles.max(), largest >= 1 << exponent,
    let missing = (6..<17).map({ 1 << $0 }).last(where: { $0 < largest && !tiles.contains($0) })
  {
    tiles = tiles.map { $0 > missing ? $0 / 2 : $0 }
  }
  return Board(exponents: tiles.map { $0 == 0 ? 0 : $0.trailingZeroBitCount })
}

/// Returns a network with random weights that downgrades boards with tiles from 1024.
func downgradingNetwork(_ patterns: [String], size: Int, seed: UInt64) -> NTupleNetwork {
  let network = TestNetworks.random(patterns, size: size, range: -10..<10, seed: seed)
  return NTupleNetwork(
    NetworkShape(
      patterns: network.shape.patterns, boardSize: size, downgrading: Downgrading(from: 10)),
    weights: network.weights)
}

/// Returns networks with three stages, with and without downgrading. Two of three weights of later stages are
/// not learned.
func stagedNetworks(_ patterns: [String], size: Int, seed: UInt64) -> [NTupleNetwork] {
  [Downgrading.none, Downgrading(from: 11)].map { downgrading in
    let shape = NetworkShape(
      patterns: TestNetworks.shape(patterns, size: size).patterns, boardSize: size,
      stages: StageRule(exponents: [9, 11]), downgrading: downgrading)
    let network = NTupleNetwork(shape)
    var source = Xoshiro256(seed: seed)
    for offset in 0..<network.weights.count
    where offset < shape.stageStride || Int.random(in: 0..<3, using: &source) == 0 {
      network.weights[offset] = Float.random(in: -10..<10, using: &source)
    }
    return network
  }
}

/// The same episode with tiles that are 128 times as large, up to 32768: boards are as much alike
/// as in any game, and from the first 8 on they are downgraded.
func withLargeTiles(_ episode: [Visit]) -> [Visit] {
  episode.map { visit in
    let exponents = visit.board.exponents.map { $0 == 0 ? 0 : min(15, $0 + 7) }
    return Visit(board: Board(exponents: exponents), reward: visit.reward)
  }
}

/// Returns temporal coherence with these sums.
func coherentRule(_ sums: Accumulators, _ learningRate: Float) -> TemporalCoherence {
  TemporalCoherence(learningRate: learningRate, accumulators: sums)
}

/// The update rule: temporal coherence or temporal difference learning.
func updateRule(
  _ sums: Accumulators, coherent: Bool, _ learningRate: Float
) -> any UpdateRule {
  coherent ? coherentRule(sums, learningRate) : TemporalDifference(learningRate: learningRate)
}
