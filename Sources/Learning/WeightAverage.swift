import Dispatch
import NTupleNetwork

/// A running average of a network's weights.
///
/// Weights that keep learning scatter around what they have learned. Their average scatters less and
/// plays better. The n-th network makes up 1/k of the average, where k is share · n, but at least 1 and
/// at most the window. A share of 1 gives the plain mean. A smaller share forgets old networks in
/// proportion to their age. Once share · n reaches the window, the average is exponential.
///
/// Source: Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992, for the
/// plain mean; Shamir and Zhang, "Stochastic gradient descent for non-smooth optimization", 2013, for
/// polynomial decay, which keeps up with a player that still improves.
///
/// Thread safety: at barriers only.
///
/// Safety: (1) the blocks of ``add(_:)`` lie within the weights of both networks, which have the same
/// number, and do not overlap; (2) only one iteration accesses a block and the same entries of the
/// other stages, and all iterations have ended when ``add(_:)`` returns.
package final class WeightAverage {
  /// The network whose weights are the average.
  package let network: NTupleNetwork
  /// The number of networks added.
  package private(set) var count: Int
  private let share: Float
  private let window: Int

  /// Creates an average of `count` networks, by default of none.
  ///
  /// - Parameters:
  ///   - shape: The shape of the networks.
  ///   - network: The average of the networks so far; nil if there is none.
  ///   - count: The number of networks so far.
  ///   - share: The share of the networks that the average reaches back over, above 0 and at most 1.
  ///   - window: The upper limit of k, at least 1.
  package init(
    _ shape: NetworkShape, _ network: NTupleNetwork? = nil, count: Int = 0, share: Float = 1,
    window: Int = .max
  ) {
    precondition(0 < share && share <= 1 && window >= 1)
    self.network = network ?? NTupleNetwork(shape)
    self.count = count
    self.share = share
    self.window = window
  }

  /// Adds the weights of `other` to the average.
  ///
  /// A weight that a stage has not learned counts as the promoted weight that is read instead. It stays
  /// unlearned in the average until one of the networks has learned it. The value of a board is
  /// therefore the average of the networks' values.
  ///
  /// - Precondition: The shapes are equal.
  /// - Complexity: O(*n*) on all cores, where *n* is the number of entries. Pages that neither network
  ///   has written still take no memory.
  package func add(_ other: NTupleNetwork) {
    precondition(other.shape == network.shape)
    count += 1
    let rate = 1 / min(Float(window), max(1, share * Float(count)))
    let (stages, stride) = (network.shape.stages.count, network.shape.stageStride)
    let total = network.shape.stageStorageCount
    let blocks = (total + WeightAverage.blockCount - 1) / WeightAverage.blockCount
    let average = network
    // The last stage first, because it may read entries of earlier stages, which must not have changed.
    for stage in (0..<stages).reversed() {
      DispatchQueue.concurrentPerform(iterations: blocks) { number in
        let start = number * WeightAverage.blockCount
        let end = min(total, start + WeightAverage.blockCount)
        let entries = (stage * stride + start)..<(stage * stride + end)
        WeightAverage.blend(rate, of: other, into: average, entries, stage: stage)
      }
    }
  }

  /// Blends some entries of one stage.
  private static func blend(
    _ rate: Float, of other: NTupleNetwork, into average: NTupleNetwork, _ entries: Range<Int>,
    stage: Int
  ) {
    unsafe other.weights.withUnsafeWeights { allOfOther in
      unsafe average.weights.withUnsafeWeights { allOfAverage in
        let weights = unsafe UnsafeMutableBufferPointer(rebasing: allOfOther[entries])
        let means = unsafe UnsafeMutableBufferPointer(rebasing: allOfAverage[entries])
        // Compares bits, because that loop is vectorised. A -0 only costs time.
        var bits: UInt32 = 0
        for place in 0..<weights.count {
          unsafe bits |= weights[place].bitPattern | means[place].bitPattern
        }
        if bits == 0 { return }
        // Not by OpenBLAS, whose rounding depends on the processor.
        for place in 0..<weights.count where unsafe weights[place] != 0 || means[place] != 0 {
          let entry = entries.lowerBound + place
          var (new, old) = unsafe (weights[place], means[place])
          // What a later stage has not learned is read from an earlier one.
          if new == 0 { new = other.weight(readAt: entry, stage: stage) }
          if old == 0 { old = average.weight(readAt: entry, stage: stage) }
          unsafe means[place] = rate * new + (1 - rate) * old
        }
      }
    }
  }

  private static let blockCount = 1 << 16
}
