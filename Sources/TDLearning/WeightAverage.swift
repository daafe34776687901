import DenseKernels
import Dispatch
import NTupleNetwork

/// A running average of a network's weights.
///
/// Weights that keep learning scatter around what they have learned; their average scatters less, and
/// plays better. The n-th network counts 1/k of the average then, with k = share · n, at least 1 and at
/// most the window. So with a share of 1 the mean is plain, with less it forgets what is old in
/// proportion to its age, and from the window on it is exponential.
///
/// Source: Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992, for the
/// plain mean; Shamir and Zhang, "Stochastic gradient descent for non-smooth optimization", 2013, for
/// polynomial decay, which keeps up with a player that still improves.
///
/// Thread safety: at barriers only.
///
/// Safety: (1) the blocks of ``add(_:)`` lie within both networks' weights, which are equally many, and
/// do not overlap; (2) each, and the same entries of the other stages, are touched by one iteration, and
/// all have ended when it returns.
public final class WeightAverage {
  /// A network whose weights are the average.
  public let network: NTupleNetwork
  /// The number of networks taken in.
  public private(set) var count: Int
  private let share: Float
  private let window: Int

  /// An average of nothing yet.
  ///
  /// - Parameters:
  ///   - share: above 0 and at most 1.
  ///   - window: at least 1.
  public convenience init(_ shape: NetworkShape, share: Float = 1, window: Int = .max) {
    self.init(NTupleNetwork(shape), count: 0, share: share, window: window)
  }

  /// An average that goes on from one of `count` networks.
  public init(_ network: NTupleNetwork, count: Int, share: Float, window: Int) {
    precondition(0 < share && share <= 1 && window >= 1)
    DenseKernels.useOneThreadPerCaller()
    self.network = network
    self.count = count
    self.share = share
    self.window = window
  }

  /// Takes in the weights of `other`.
  ///
  /// A weight that a stage has not learned counts as what is read in its place, and stays unlearned
  /// only as long as no network has learned it: the average values a board at the average of the
  /// networks' values.
  ///
  /// - Precondition: the shapes are the same.
  /// - Complexity: O(entries), over all cores; memory that neither network has written stays unused.
  public func add(_ other: NTupleNetwork) {
    precondition(other.shape == network.shape)
    count += 1
    let rate = 1 / min(Float(window), max(1, share * Float(count)))
    let (stages, stride) = (network.shape.stages.count, network.shape.stageStride)
    let total = network.shape.stageStorageCount
    let blocks = (total + WeightAverage.blockCount - 1) / WeightAverage.blockCount
    let average = network
    DispatchQueue.concurrentPerform(iterations: blocks) { number in
      let start = number * WeightAverage.blockCount
      let end = min(total, start + WeightAverage.blockCount)
      // The last stage first, because it may read through to those before as they were.
      for stage in (0..<stages).reversed() {
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
        // Only bits are compared, in a loop that vectorises: -0 for a 0 costs nothing but time.
        var bits: UInt32 = 0
        for place in 0..<weights.count {
          unsafe bits |= weights[place].bitPattern | means[place].bitPattern
        }
        if bits == 0 { return }
        if stage == 0 {
          unsafe DenseKernels.blend(
            rate, of: weights.baseAddress!, into: means.baseAddress!, count: weights.count)
          return
        }
        for place in 0..<weights.count where unsafe weights[place] != 0 || means[place] != 0 {
          let entry = entries.lowerBound + place
          unsafe means[place] =
            rate * other.weight(readAt: entry, stage: stage)
            + (1 - rate) * average.weight(readAt: entry, stage: stage)
        }
      }
    }
  }

  private static let blockCount = 1 << 16
}
