import DenseKernels
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
    self.network = network
    self.count = count
    self.window = window
  }

  /// Takes in the weights of `other` as they are.
  ///
  /// - Precondition: the shapes are the same, with one stage: the average of a weight that a stage has
  ///   not learned yet with one that it has would mean nothing.
  /// - Complexity: O(entries); memory that neither network has written stays unused.
  public func add(_ other: NTupleNetwork) {
    precondition(other.shape == network.shape && other.shape.stages.count == 1)
    count += 1
    let share = 1 / Float(min(count, window))
    let total = network.weights.count
    unsafe network.weights.withUnsafeWeights { average in
      unsafe other.weights.withUnsafeWeights { weights in
        for start in stride(from: 0, to: total, by: WeightAverage.blockCount) {
          let block = start..<min(total, start + WeightAverage.blockCount)
          let own = unsafe UnsafeMutableBufferPointer(rebasing: average[block])
          let others = unsafe UnsafeMutableBufferPointer(rebasing: weights[block])
          if unsafe others.allSatisfy({ $0 == 0 }) && own.allSatisfy({ $0 == 0 }) { continue }
          unsafe DenseKernels.blend(
            share, of: others.baseAddress!, into: own.baseAddress!, count: block.count)
        }
      }
    }
  }

  private static let blockCount = 1 << 14
}
