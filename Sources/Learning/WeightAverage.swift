import Dispatch
import NTupleNetwork

/// A running average of a network's weights.
///
/// Weights that keep learning scatter around what they have learned. Their average scatters less and
/// plays better. The n-th network makes up 1/k of the average, where k is share · n, but at least 1 and
/// at most the window. A share of 1 gives the plain mean. A smaller share forgets old networks in
/// proportion to their age. Once share · n reaches the window, the average is exponential.
///
/// Networks are added at equal intervals. ``snapshot(with:after:)`` is the average at any time between, as if
/// a part of a network had been added.
///
/// Source: Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992, for the
/// plain mean; Shamir and Zhang, "Stochastic gradient descent for non-smooth optimization", 2013, for
/// polynomial decay, which keeps up with a player that still improves.
///
/// Thread safety: at barriers only.
///
/// Safety: (1) the blocks of `blend` lie within the weights of both networks, which have the same
/// number, and do not overlap; (2) only one iteration accesses a block and the same entries of the
/// other stages, and all iterations have ended when `blend` returns.
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

  /// Returns the reach k of the average, in intervals, when `part` of an interval has passed since the last addition.
  private func reach(after part: Float) -> Float {
    min(Float(window), share * (Float(count) + part))
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
    WeightAverage.blend(min(1, 1 / reach(after: 1)), of: other, into: network)
    count += 1
  }

  /// Returns the average with the weights of `other` when `part` of an interval has passed since the last addition.
  ///
  /// The weights of `other` make up part/k of it, and all of it if part is k or more. Nothing is added to the
  /// average itself, so a snapshot has no effect on later ones.
  ///
  /// - Parameters:
  ///   - other: The network that learns.
  ///   - part: The part of the interval, at least 0 and below 1.
  /// - Returns: A copy, or `other` or ``network`` itself where the result is equal.
  /// - Complexity: O(*n*) on all cores, where *n* is the number of entries.
  package func snapshot(with other: NTupleNetwork, after part: Float) -> NTupleNetwork {
    if count == 0 || part > 0 && part >= reach(after: part) { return other }
    if part == 0 { return network }
    let copy = NTupleNetwork(network.shape)
    copy.weights.copy(from: network.weights)
    WeightAverage.blend(part / reach(after: part), of: other, into: copy)
    return copy
  }

  /// Returns the reach of a snapshot, in intervals; nil if it has the latest weights alone.
  package func reachOfSnapshot(after part: Float) -> Double? {
    let reach = reach(after: part)
    return count == 0 || reach <= (part > 0 ? part : 1) ? nil : Double(reach)
  }

  /// Moves the weights of `average` by `rate` of the way to those of `other`.
  private static func blend(_ rate: Float, of other: NTupleNetwork, into average: NTupleNetwork) {
    let (stages, stride) = (average.shape.stages.count, average.shape.stageStride)
    let total = average.shape.stageStorageCount
    let blocks = (total + WeightAverage.blockCount - 1) / WeightAverage.blockCount
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
