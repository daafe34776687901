import DenseKernels
import NTupleNetwork

/// The update of a network by the errors of a minibatch.
///
/// Every feature of `a_i` moves by `α · e_i / m`, with the errors `e_i` of ``BatchErrors`` and the number
/// `m` of features. A feature that occurs several times moves once for each occurrence. Play reads the
/// values before any weight moves: with one worker, no weight changes within a batch.
///
/// Sources: Szubert and Jaśkowski 2014 for TD(0) on afterstates; Jaśkowski 2017 for the delayed and
/// coherent forms. Here the updates come in batches.
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

  /// Updates the network from the rows of `batch` that are ready, and removes them.
  ///
  /// - Parameters:
  ///   - batch: The rows.
  ///   - isTerminal: Whether the last row is the last afterstate of its episode. If not, the last row
  ///     only serves as the successor of the row before it.
  ///   - rule: The update rule, which must fit the shape of the network.
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
