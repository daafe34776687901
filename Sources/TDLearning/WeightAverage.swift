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
/// do not overlap; (2) each is touched by one iteration, and all have ended when it returns.
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

  /// Takes in the weights of `other` as they are.
  ///
  /// - Precondition: the shapes are the same, with one stage: the average of a weight that a stage has
  ///   not learned yet with one that it has would mean nothing.
  /// - Complexity: O(entries), over all cores; memory that neither network has written stays unused.
  public func add(_ other: NTupleNetwork) {
    precondition(other.shape == network.shape && other.shape.stages.count == 1)
    count += 1
    let rate = 1 / min(Float(window), max(1, share * Float(count)))
    let total = network.weights.count
    let blocks = (total + WeightAverage.blockCount - 1) / WeightAverage.blockCount
    unsafe network.weights.withUnsafeWeights { average in
      unsafe other.weights.withUnsafeWeights { weights in
        nonisolated(unsafe) let (average, weights) = unsafe (average, weights)
        DispatchQueue.concurrentPerform(iterations: blocks) { number in
          let start = number * WeightAverage.blockCount
          let block = start..<min(total, start + WeightAverage.blockCount)
          unsafe WeightAverage.blend(
            rate, of: UnsafeMutableBufferPointer(rebasing: weights[block]),
            into: UnsafeMutableBufferPointer(rebasing: average[block]))
        }
      }
    }
  }

  @unsafe
  private static func blend(
    _ rate: Float, of weights: UnsafeMutableBufferPointer<Float>,
    into average: UnsafeMutableBufferPointer<Float>
  ) {
    // Only bits are compared, in a loop that vectorises: -0 for a 0 costs nothing but time.
    var bits: UInt32 = 0
    for entry in 0..<weights.count {
      unsafe bits |= weights[entry].bitPattern | average[entry].bitPattern
    }
    guard bits != 0 else { return }
    unsafe DenseKernels.blend(
      rate, of: weights.baseAddress!, into: average.baseAddress!, count: weights.count)
  }

  private static let blockCount = 1 << 16
}
