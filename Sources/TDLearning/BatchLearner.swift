import DenseKernels
import Game2048
import NTupleNetwork

/// A learner, which receives the moves of a player's episodes.
public protocol EpisodeLearner: ~Copyable {
  /// Adds the next afterstate of the episode.
  mutating func observe(_ move: GreedyMove)

  /// Ends the episode. The value of the last afterstate moves towards 0.
  mutating func finishEpisode()
}

/// A learner that collects the afterstates of an episode in minibatches and updates the network.
///
/// Every feature of `a_i` moves by `α · e_i / m`, with the errors `e_i` of `BatchErrors` and the number
/// `m` of features. A feature that occurs several times moves once for each occurrence. Play reads the
/// values before any weight moves: with one worker, no weight changes within a batch. The last, shorter
/// batch of an episode is applied at its end, so nothing is pending between episodes.
///
/// Sources: Szubert and Jaśkowski 2014 for TD(0) on afterstates; Jaśkowski 2017 for the delayed and
/// coherent forms. Here the updates come in batches.
public struct BatchLearner: EpisodeLearner, ~Copyable {
  private let network: NTupleNetwork
  private let errors: BatchErrors
  private let steps: FloatBuffer
  @usableFromInline var batch: EpisodeBatch
  /// The update rule, which must fit the shape of the network. Change it between episodes only.
  public var rule: any UpdateRule = TemporalDifference(learningRate: 0)

  /// Creates a learner that updates `network` every `batchSize` moves.
  ///
  /// - Precondition: `batchSize` is at least 1.
  public init(
    network: NTupleNetwork, returns: ReturnEstimate, backend: KernelBackend, batchSize: Int
  ) {
    precondition(batchSize >= 1, "a batch has moves")
    let rowCapacity = BatchLearner.mostRows(batchSize: batchSize, returns: returns)
    self.network = network
    batch = EpisodeBatch(capacity: rowCapacity)
    errors = BatchErrors(
      network: network, returns: returns, backend: backend, rowCapacity: rowCapacity)
    steps = FloatBuffer(count: rowCapacity)
  }

  /// Returns the largest number of rows of an update: new ones, and those that waited for later errors.
  static func mostRows(batchSize: Int, returns: ReturnEstimate) -> Int {
    batchSize + 1 + returns.lookahead
  }

  /// Returns the approximate memory of a learner, in bytes.
  package static func byteCount(batchSize: Int, returns: ReturnEstimate) -> Int {
    // A row has eight images of its board and six floats.
    mostRows(batchSize: batchSize, returns: returns)
      * (Symmetries.count * MemoryLayout<UInt64>.stride + 6 * MemoryLayout<Float>.stride)
  }

  /// Adds the next afterstate of the episode, and updates the network if the batch is full.
  @inlinable
  public mutating func observe(_ move: GreedyMove) {
    batch.append(planes: move.planes, reward: Float(move.reward), value: move.value)
    if batch.isFull { update(isTerminal: false) }
  }

  /// Ends the episode and updates the network. The value of the last afterstate moves towards 0.
  @inlinable
  public mutating func finishEpisode() {
    update(isTerminal: true)
  }

  /// Updates the network from the rows of the batch that are ready, and removes them.
  ///
  /// - Parameter isTerminal: Whether the last row is the last afterstate of its episode. If not, the
  ///   last row only serves as the successor of the row before it.
  @usableFromInline
  mutating func update(isTerminal: Bool) {
    let ready = errors.compute(&batch, isTerminal: isTerminal)
    errors.scale(by: rule.largestShare / Float(network.featureCount), count: ready, into: steps)
    batch.images.completeImages(rows: ready, for: network)
    unsafe rule.apply(
      to: network,
      FeatureRows(batch.images, count: ready, steps: steps.base, errors: errors.errors.base))
    errors.removeReady(ready, from: &batch)
  }
}
