import DenseKernels
import Game2048
import NTupleNetwork

/// Turns the moves that a lane plays in a round into blocks of what they add to each pattern.
///
/// The weights stay as they are while the round lasts. A row whose return is not known at the end of
/// the round waits for the next one.
public struct RoundLearner: EpisodeLearner {
  /// The blocks of the last round, pattern by pattern.
  public private(set) var deltas: [PatternDelta]
  /// The rows of the present episode that have not been learned from.
  @usableFromInline var batch: EpisodeBatch
  private let network: NTupleNetwork
  private let errors: BatchErrors
  /// The rows of the round that are learned from, of however many episodes, and their errors.
  private let readyImages: BoardImages
  private let readyErrors: FloatBuffer
  private var readyRows = 0

  /// A learner for rounds of `batchSize` moves on `network`.
  public init(
    network: NTupleNetwork, returns: ReturnEstimate, backend: KernelBackend, batchSize: Int
  ) {
    self.network = network
    let rowCapacity = BatchLearner.mostRows(batchSize: batchSize, returns: returns)
    batch = EpisodeBatch(rowCapacity: rowCapacity)
    errors = BatchErrors(
      network: network, returns: returns, backend: backend, rowCapacity: rowCapacity)
    readyImages = BoardImages(capacity: rowCapacity)
    readyErrors = FloatBuffer(count: rowCapacity)
    deltas = (0..<network.numberOfPatterns).map {
      PatternDelta(
        pattern: $0, of: network.shape,
        reserving: RoundLearner.mostFeatures(batchSize: batchSize, returns: returns))
    }
  }

  /// The memory of a learner, in bytes, about.
  public static func byteCount(patterns: Int, batchSize: Int, returns: ReturnEstimate) -> Int {
    let entry = MemoryLayout<UInt32>.stride + 2 * MemoryLayout<Float>.stride
    return 2 * BatchLearner.byteCount(batchSize: batchSize, returns: returns)
      + patterns * mostFeatures(batchSize: batchSize, returns: returns) * entry
  }

  /// The features that a lane's round can have in one pattern.
  static func mostFeatures(batchSize: Int, returns: ReturnEstimate) -> Int {
    Symmetries.count * BatchLearner.mostRows(batchSize: batchSize, returns: returns)
  }

  /// Takes in the next afterstate of the episode.
  @inlinable
  public mutating func observe(_ move: GreedyMove) {
    batch.append(planes: move.planes, reward: Float(move.reward), value: move.value)
  }

  /// Ends the episode: after the last afterstate there is nothing to gain.
  public mutating func finishEpisode() { collect(isTerminal: true) }

  /// Ends the round and makes its ``deltas``.
  ///
  /// - Parameter scratch: room for a lane's features.
  public mutating func finishRound(using scratch: DeltaScratch) {
    collect(isTerminal: false)
    readyImages.completeImages(rows: readyRows, for: network)
    let features = Symmetries.count * readyRows
    let sorter = scratch.sorter
    precondition(features <= sorter.capacity)
    for pattern in deltas.indices {
      unsafe network.listFeatures(
        ofPattern: pattern, in: readyImages, rows: readyRows, errors: readyErrors.base,
        into: sorter.words)
      sorter.sort(count: features, keyBits: network.keyBits(ofPattern: pattern))
      deltas[pattern].replace(withSortedWordsOf: sorter, count: features, scratch: scratch)
    }
    readyRows = 0
  }

  /// Moves the rows that are ready from the episode's to the round's.
  private mutating func collect(isTerminal: Bool) {
    let ready = errors.compute(&batch, isTerminal: isTerminal)
    for row in 0..<ready { readyImages.store(planes: batch.planes(row), row: readyRows + row) }
    DenseKernels.copy(errors.errors, to: readyErrors, at: readyRows, count: ready)
    readyRows += ready
    errors.removeReady(ready, from: &batch)
  }

  // MARK: Between rounds

  /// The rows that wait for the next round.
  public var waiting: WaitingRows {
    get {
      let rows = 0..<batch.rows
      return WaitingRows(
        planes: rows.map { batch.planes($0) }, rewards: rows.map { batch.rewards[$0] },
        values: rows.map { batch.values[$0] }, errors: errors.waiting)
    }
    set {
      precondition(newValue.fits(lookahead: batch.rowCapacity - 1))
      batch.removeFirst(batch.rows)
      for (row, planes) in newValue.planes.enumerated() {
        batch.append(planes: planes, reward: newValue.rewards[row], value: newValue.values[row])
      }
      errors.waiting = newValue.errors
    }
  }
}
