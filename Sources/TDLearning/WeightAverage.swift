import DenseKernels
import Dispatch
import NTupleNetwork

/// A running average of a network's weights.
///
/// Weights that keep learning scatter around what they have learned; their average scatters less, and
/// plays better. The mean is plain up to a number of networks, the window, and exponential from there
/// on, with a share of one in the window for each new network.
///
/// Source: Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992; the
/// exponential form keeps up with a player that still improves.
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
  private let window: Int

  /// An average of nothing yet.
  ///
  /// - Parameter window: at least 1.
  public convenience init(_ shape: NetworkShape, window: Int) {
    self.init(NTupleNetwork(shape), count: 0, window: window)
  }

  /// An average that goes on from one of `count` networks.
  public init(_ network: NTupleNetwork, count: Int, window: Int) {
    precondition(window >= 1)
    DenseKernels.useOneThreadPerCaller()
    self.network = network
    self.count = count
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
    let share = 1 / Float(min(count, window))
    let total = network.weights.count
    let blocks = (total + WeightAverage.blockCount - 1) / WeightAverage.blockCount
    unsafe network.weights.withUnsafeWeights { average in
      unsafe other.weights.withUnsafeWeights { weights in
        nonisolated(unsafe) let (average, weights) = unsafe (average, weights)
        DispatchQueue.concurrentPerform(iterations: blocks) { number in
          let start = number * WeightAverage.blockCount
          let block = start..<min(total, start + WeightAverage.blockCount)
          unsafe WeightAverage.blend(
            share, of: UnsafeMutableBufferPointer(rebasing: weights[block]),
            into: UnsafeMutableBufferPointer(rebasing: average[block]))
        }
      }
    }
  }

  @unsafe
  private static func blend(
    _ share: Float, of weights: UnsafeMutableBufferPointer<Float>,
    into average: UnsafeMutableBufferPointer<Float>
  ) {
    // Only bits are compared, in a loop that vectorises: -0 for a 0 costs nothing but time.
    var bits: UInt32 = 0
    for entry in 0..<weights.count {
      unsafe bits |= weights[entry].bitPattern | average[entry].bitPattern
    }
    guard bits != 0 else { return }
    unsafe DenseKernels.blend(
      share, of: weights.baseAddress!, into: average.baseAddress!, count: weights.count)
  }

  private static let blockCount = 1 << 16
}
