import Game2048
import NTupleNetwork

/// A learner that turns the moves of a lane's round into one block of errors per pattern.
///
/// The weights do not change during a round. A row whose return is not known at the end of the round
/// waits for the next round.
public struct RoundLearner: EpisodeLearner, ~Copyable {
  /// The blocks of the last round, in the order of the patterns.
  public private(set) var deltas: [PatternDelta]
  /// The rows of the current episode that wait for their returns.
  @usableFromInline var batch: EpisodeBatch
  private let network: NTupleNetwork
  private let errors: BatchErrors
  /// The boards of the round whose errors are known, from one or more episodes.
  private let readyImages: BoardImages
  /// The errors of these boards.
  private let readyErrors: FloatBuffer
  private var readyRows = 0

  /// Creates a learner for rounds of `batchSize` moves on `network`.
  public init(network: NTupleNetwork, returns: ReturnEstimate, batchSize: Int) {
    self.network = network
    let rowCapacity = BatchLearner.mostRows(batchSize: batchSize, returns: returns)
    batch = EpisodeBatch(capacity: rowCapacity)
    errors = BatchErrors(network: network, returns: returns, rowCapacity: rowCapacity)
    readyImages = BoardImages(capacity: rowCapacity)
    readyErrors = FloatBuffer(count: rowCapacity)
    deltas = network.shape.patterns.indices.map {
      PatternDelta(
        pattern: $0, of: network.shape,
        reserving: RoundLearner.mostFeatures(batchSize: batchSize, returns: returns))
    }
  }

  /// Returns the approximate memory of a learner, in bytes.
  package static func byteCount(patterns: Int, batchSize: Int, returns: ReturnEstimate) -> Int {
    let entry = MemoryLayout<UInt32>.stride + 2 * MemoryLayout<Float>.stride
    return 2 * BatchLearner.byteCount(batchSize: batchSize, returns: returns)
      + patterns * mostFeatures(batchSize: batchSize, returns: returns) * entry
  }

  /// Returns the largest number of features that a lane's round can have in one pattern.
  static func mostFeatures(batchSize: Int, returns: ReturnEstimate) -> Int {
    Symmetries.count * BatchLearner.mostRows(batchSize: batchSize, returns: returns)
  }

  /// Adds the next afterstate of the episode.
  @inlinable
  public mutating func observe(_ move: GreedyMove) {
    batch.append(planes: move.planes, reward: Float(move.reward), value: move.value)
  }

  /// Ends the episode. The value of the last afterstate moves towards 0.
  public mutating func finishEpisode() { collect(isTerminal: true) }

  /// Ends the round and computes its ``deltas``.
  package mutating func finishRound(using scratch: DeltaScratch) {
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

  /// Moves the rows that are ready from the episode to the round.
  private mutating func collect(isTerminal: Bool) {
    let ready = errors.compute(&batch, isTerminal: isTerminal)
    for row in 0..<ready {
      readyImages.store(planes: batch.images.planes(row), row: readyRows + row)
    }
    DenseKernels.copy(errors.errors, to: readyErrors, at: readyRows, count: ready)
    readyRows += ready
    errors.removeReady(ready, from: &batch)
  }

  // MARK: Between rounds

  /// The rows that wait for the next round.
  package var waiting: WaitingRows {
    get {
      var waiting = WaitingRows()
      for row in 0..<batch.rows {
        waiting.planes.append(batch.images.planes(row))
        waiting.rewards.append(batch.rewards[row].bitPattern)
        waiting.values.append(batch.values[row].bitPattern)
      }
      waiting.errors = errors.waiting.map(\.bitPattern)
      return waiting
    }
    set {
      precondition(newValue.fits(lookahead: batch.images.capacity - 1))
      batch.removeFirst(batch.rows)
      for (row, planes) in newValue.planes.enumerated() {
        batch.append(
          planes: planes, reward: Float(bitPattern: newValue.rewards[row]),
          value: Float(bitPattern: newValue.values[row]))
      }
      errors.waiting = newValue.errors.map(Float.init(bitPattern:))
    }
  }
}
