import Game2048
import NTupleNetwork

/// Turns the afterstates of an episode into minibatches and applies them as they fill.
///
/// An episode's last, shorter batch is applied at its end, so that nothing is pending between
/// episodes. Copies share the rows of the batch: use one of them only.
public struct BatchLearner: EpisodeLearner {
  @usableFromInline let update: BatchUpdate
  @usableFromInline var batch: EpisodeBatch
  /// How far the weights move; to be changed between episodes only. Its tables belong to the network's
  /// shape.
  public var rule: any UpdateRule = TemporalDifference(learningRate: 0)

  /// A learner that updates `network` every `batchSize` moves.
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

  /// The rows that an update can have: its own, and those that waited for later errors.
  static func mostRows(batchSize: Int, returns: ReturnEstimate) -> Int {
    batchSize + 1 + returns.lookahead
  }

  /// The memory of a learner, in bytes, about.
  public static func byteCount(batchSize: Int, returns: ReturnEstimate) -> Int {
    // A row has eight images of its board, and half a dozen floats.
    mostRows(batchSize: batchSize, returns: returns)
      * (Symmetries.count * MemoryLayout<UInt64>.stride + 6 * MemoryLayout<Float>.stride)
  }

  /// Takes in the next afterstate of the episode.
  @inlinable
  public mutating func observe(_ move: GreedyMove) {
    batch.append(planes: move.planes, reward: Float(move.reward), value: move.value)
    if batch.isFull { update.apply(&batch, isTerminal: false, rule: rule) }
  }

  /// Ends the episode: after the last afterstate there is nothing to gain.
  @inlinable
  public mutating func finishEpisode() {
    update.apply(&batch, isTerminal: true, rule: rule)
  }
}
