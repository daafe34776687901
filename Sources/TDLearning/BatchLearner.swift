import Game2048
import NTupleNetwork

/// A learner that collects the afterstates of an episode in minibatches and updates the network.
///
/// The last, shorter batch of an episode is applied at its end, so nothing is pending between episodes.
public struct BatchLearner: EpisodeLearner, ~Copyable {
  @usableFromInline let update: BatchUpdate
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
    batch = EpisodeBatch(rowCapacity: rowCapacity)
    update = BatchUpdate(
      network: network, returns: returns, backend: backend, rowCapacity: rowCapacity)
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
    if batch.isFull { update.apply(&batch, isTerminal: false, rule: rule) }
  }

  /// Ends the episode and updates the network. The value of the last afterstate moves towards 0.
  @inlinable
  public mutating func finishEpisode() {
    update.apply(&batch, isTerminal: true, rule: rule)
  }
}
