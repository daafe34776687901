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
    network: NTupleNetwork, returns: ReturnEstimate, path: UpdatePath, rowCapacity: Int
  ) {
    self.network = network
    errors = BatchErrors(
      network: network, returns: returns, path: path, rowCapacity: rowCapacity)
    steps = FloatBuffer(count: rowCapacity)
  }

  /// Updates the network from `batch` and leaves in it the rows that wait.
  ///
  /// - Parameters:
  ///   - isTerminal: whether the last row is the last afterstate of its episode. If not, the last
  ///     row only serves as the successor of the row before it.
  ///   - stepSize: how far the weights move.
  @usableFromInline
  func apply(_ batch: inout EpisodeBatch, isTerminal: Bool, stepSize: StepSize) {
    let ready = errors.compute(&batch, isTerminal: isTerminal)
    errors.scale(
      by: stepSize.largestShare / Float(network.featureCount), count: ready, into: steps)
    batch.images.completeImages(rows: ready, for: network)
    switch stepSize.rule {
    case .constant:
      unsafe network.add(steps.base, to: batch.images, rows: ready)
    case .coherent(let coherence):
      unsafe network.add(
        steps.base, errors: errors.errors.base, to: batch.images, rows: ready,
        coherence: coherence, rule: stepSize.coherenceRule)
    }
    errors.removeReady(ready, from: &batch)
  }
}
