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
/// `ErrorRows` moves the features of `a_i` by the errors `e_i` of `BatchErrors`. Play reads the values
/// before any weight moves: with one worker, no weight changes within a batch. The last, shorter batch of
/// an episode is applied at its end, so nothing is pending between episodes.
///
/// Sources: Szubert and Jaśkowski 2014 for TD(0) on afterstates; Jaśkowski 2017 for the delayed and
/// coherent forms. Here the updates come in batches.
public struct BatchLearner: EpisodeLearner, ~Copyable {
  private let network: NTupleNetwork
  private let errors: BatchErrors
  private let rows: ErrorRows
  @usableFromInline var batch: EpisodeBatch
  /// The update rule, which must fit the shape of the network. Change it between episodes only.
  public var rule: any UpdateRule = TemporalDifference(learningRate: 0)

  /// Creates a learner that updates `network` every `batchSize` moves.
  ///
  /// - Precondition: `batchSize` is at least 1.
  public init(network: NTupleNetwork, returns: ReturnEstimate, batchSize: Int) {
    precondition(batchSize >= 1, "a batch has moves")
    let rowCapacity = BatchLearner.mostRows(batchSize: batchSize, returns: returns)
    self.network = network
    batch = EpisodeBatch(capacity: rowCapacity)
    errors = BatchErrors(network: network, returns: returns, rowCapacity: rowCapacity)
    rows = ErrorRows(images: batch.images, errors: errors.errors)
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
    rows.update(network, by: rule, count: ready)
    errors.removeReady(ready, from: &batch)
  }
}

/// A minibatch: consecutive afterstates of one episode, oldest first.
///
/// Row `i` holds the afterstate `a_i`, the reward `r_i` of the move that reached it, and the value
/// that play read for it. The TD error of row `i` needs row `i + 1`, so a batch of `B` transitions
/// has `B + 1` rows, or more if the returns look further ahead.
@usableFromInline
struct EpisodeBatch: ~Copyable {
  /// The number of rows in use.
  @usableFromInline var rows = 0
  /// The rewards: `rewards[i]` is the points of the move that reached row `i`.
  @usableFromInline let rewards: FloatBuffer
  /// The values: `values[i]` is the network's value of row `i` when the move was chosen.
  @usableFromInline let values: FloatBuffer
  /// The afterstates, with exponents up to 15, and their images once an update has computed them.
  @usableFromInline let images: BoardImages

  /// Allocates a batch for up to `capacity` afterstates.
  init(capacity: Int) {
    rewards = FloatBuffer(count: capacity)
    values = FloatBuffer(count: capacity)
    images = BoardImages(capacity: capacity)
  }

  /// Whether no row is left.
  @inlinable var isFull: Bool { rows == images.capacity }

  /// Appends the next afterstate of the episode.
  ///
  /// - Precondition: The batch is not full, and the exponents are at most 15.
  @inlinable
  mutating func append(planes: UInt64, reward: Float, value: Float) {
    images.store(planes: planes, row: rows)
    // The buffers have as many elements as there are rows of images.
    unsafe rewards.base[rows] = reward
    unsafe values.base[rows] = value
    rows += 1
  }

  /// Removes the oldest `count` rows.
  ///
  /// - Precondition: The batch has at least `count` rows.
  mutating func removeFirst(_ count: Int) {
    precondition(count <= rows)
    for row in count..<rows {
      images.store(planes: images.planes(row), row: row - count)
      rewards[row - count] = rewards[row]
      values[row - count] = values[row]
    }
    rows -= count
  }
}

/// The rows of a lane's episode that wait for later errors, in the form that a saved run contains.
///
/// Floats are kept as their bits, so that they are not rounded when they are saved as text.
package struct WaitingRows: Codable, Equatable, Sendable {
  /// The planes of the afterstates, oldest first.
  package var planes: [UInt64] = []
  /// The bits of the points of the moves that reached the afterstates.
  var rewards: [UInt32] = []
  /// The bits of the values that play read for the afterstates.
  var values: [UInt32] = []
  /// The bits of the known TD errors, which are those of all rows except the last.
  var errors: [UInt32] = []

  /// Creates an empty list of rows.
  package init() {}

  /// Returns whether these rows can wait between rounds if a row waits for `lookahead` errors.
  func fits(lookahead: Int) -> Bool {
    planes.count <= lookahead + 1 && rewards.count == planes.count && values.count == planes.count
      && errors.count == max(0, planes.count - 1)
  }

  /// Returns whether these rows can wait between rounds of a learner with these returns.
  package func fits(_ returns: ReturnEstimate) -> Bool { fits(lookahead: returns.lookahead) }
}
