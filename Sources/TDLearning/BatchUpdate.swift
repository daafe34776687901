import DenseKernels
import NTupleNetwork

/// Moves the weights of a network by the errors of a minibatch.
///
/// The TD errors of the rows are summed up to the errors `e_i` of the ``ReturnEstimate``, and every
/// feature of `a_i` moves by `α · e_i / m`, where `m` is the number of features; a feature that occurs
/// in several rows, or several times in one, moves once for each. All values are read before any
/// weight of the batch moves, by play itself: no weight of a lone worker moves within a batch.
///
/// A row whose return reaches past the batch waits for the next one.
///
/// Sources: Szubert and Jaśkowski 2014 for TD(0) on afterstates; Jaśkowski 2017 for the delayed and
/// coherent forms; here in batches.
@usableFromInline
final class BatchUpdate {
  private let network: NTupleNetwork
  private let kernels: any ErrorKernels
  /// How many rows at the end of a batch wait for later errors, besides the last.
  private let lookahead: Int
  private let temporalDifferences: FloatBuffer
  private let errors: FloatBuffer
  private let steps: FloatBuffer
  /// The rows at the start of the batch whose TD errors are known from the batch before.
  private var knownErrors = 0

  init(
    network: NTupleNetwork, returns: ReturnEstimate, path: UpdatePath, rowCapacity: Int
  ) {
    self.network = network
    kernels =
      switch path {
      case .blas: BLASKernels(rowCapacity: rowCapacity, returns: returns)
      case .plain: PlainKernels(rowCapacity: rowCapacity, returns: returns)
      }
    lookahead = returns.lookahead
    temporalDifferences = FloatBuffer(count: rowCapacity)
    errors = FloatBuffer(count: rowCapacity)
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
    let rows = batch.rows
    precondition(rows <= steps.count)
    guard rows > 0 else { return }
    // The update before has moved what play had read for the first row that is not done.
    batch.values[knownErrors] = network.value(ofPlanes: batch.planes(knownErrors))
    kernels.temporalDifferences(
      rewards: batch.rewards, values: batch.values, in: knownErrors..<(rows - 1),
      into: temporalDifferences)
    if isTerminal { temporalDifferences[rows - 1] = -batch.values[rows - 1] }

    let known = isTerminal ? rows : rows - 1
    let ready = isTerminal ? rows : max(0, known - lookahead)
    kernels.accumulate(temporalDifferences, count: known, into: errors)
    kernels.scale(
      errors, by: stepSize.learningRate / Float(network.featureCount), count: ready, into: steps)
    batch.images.completeImages(
      rows: ready, symmetries: network.symmetries, stages: network.shape.stages)
    switch stepSize.rule {
    case .constant:
      unsafe network.add(steps.base, to: batch.images, rows: ready)
    case .coherent(let coherence):
      unsafe network.add(
        steps.base, errors: errors.base, to: batch.images, rows: ready, coherence: coherence)
    }

    batch.removeFirst(ready)
    knownErrors = known - ready
    for row in 0..<knownErrors { temporalDifferences[row] = temporalDifferences[ready + row] }
  }
}
