import DenseKernels
import NTupleNetwork

/// Moves the weights of a network by the errors of a minibatch.
///
/// Every feature of `a_i` moves by `α · e_i / m`, with the errors `e_i` of ``BatchErrors``, where `m`
/// is the number of features; a feature that occurs in several rows, or several times in one, moves
/// once for each. All values are read before any weight of the batch moves, by play itself: no weight
/// of a lone worker moves within a batch.
///
/// Sources: Szubert and Jaśkowski 2014 for TD(0) on afterstates; Jaśkowski 2017 for the delayed and
/// coherent forms; here in batches.
@usableFromInline
final class BatchUpdate {
  private let network: NTupleNetwork
  private let errors: BatchErrors
  private let steps: FloatBuffer

  init(
    network: NTupleNetwork, returns: ReturnEstimate, backend: KernelBackend, rowCapacity: Int
  ) {
    self.network = network
    errors = BatchErrors(
      network: network, returns: returns, backend: backend, rowCapacity: rowCapacity)
    steps = FloatBuffer(count: rowCapacity)
  }

  /// Updates the network from `batch` and leaves in it the rows that wait.
  ///
  /// - Parameters:
  ///   - isTerminal: whether the last row is the last afterstate of its episode. If not, the
  ///     last row only serves as the successor of the row before it.
  ///   - rule: how far the weights move; its tables belong to the network's shape.
  @usableFromInline
  func apply(_ batch: inout EpisodeBatch, isTerminal: Bool, rule: any UpdateRule) {
    let ready = errors.compute(&batch, isTerminal: isTerminal)
    errors.scale(by: rule.largestShare / Float(network.featureCount), count: ready, into: steps)
    batch.images.completeImages(rows: ready, for: network)
    unsafe rule.apply(
      to: network,
      FeatureRows(batch.images, count: ready, steps: steps.base, errors: errors.errors.base))
    errors.removeReady(ready, from: &batch)
  }
}
