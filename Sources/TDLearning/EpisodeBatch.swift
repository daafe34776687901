import DenseKernels
import Game2048
import NTupleNetwork

/// A minibatch: consecutive afterstates of one episode, oldest first.
///
/// Row `i` holds the afterstate `a_i`, the reward `r_i` of the move that reached it, and the value
/// that play read for it. The TD error of row `i` needs row `i + 1`, so a batch of `B` transitions
/// has `B + 1` rows; the last row of a full batch becomes the first of the next.
///
/// The rows live in buffers that copies of a batch share; a worker has one batch and makes no copies.
public struct EpisodeBatch {
  /// The number of rows that fit.
  public let rowCapacity: Int
  /// The number of rows in use.
  public private(set) var rows = 0
  /// `rewards[i]`: the points of the move that reached row `i`.
  let rewards: FloatBuffer
  /// `playValues[i]`: the network's value of row `i` when the move was chosen.
  let playValues: FloatBuffer
  /// The eight images of every afterstate, its exponents at most 15.
  let images: BoardImages

  private let symmetries: Symmetries

  /// A batch for up to `transitions` transitions of a game with these symmetries.
  public init(transitions: Int, symmetries: Symmetries) {
    rowCapacity = transitions + 1
    rewards = FloatBuffer(count: rowCapacity)
    playValues = FloatBuffer(count: rowCapacity)
    images = BoardImages(capacity: rowCapacity)
    self.symmetries = symmetries
  }

  var isFull: Bool { rows == rowCapacity }

  /// Adds the next afterstate of the episode.
  ///
  /// - Parameter planes: its planes, every exponent at most 15.
  /// - Precondition: the batch is not full.
  mutating func append(planes: UInt64, reward: Float, value: Float) {
    precondition(rows < rowCapacity, "the batch is full")
    images.store(planes: planes, row: rows, symmetries: symmetries)
    rewards[rows] = reward
    playValues[rows] = value
    rows += 1
  }

  /// The planes of the afterstate in `row`.
  func planes(_ row: Int) -> UInt64 { images.planes(row) }

  /// Empties the batch, but for its last row, from which the episode goes on.
  mutating func keepLastRow() {
    let last = rows - 1
    images.store(planes: planes(last), row: 0, symmetries: symmetries)
    rewards[0] = rewards[last]
    playValues[0] = playValues[last]
    rows = 1
  }

  /// Empties the batch.
  mutating func removeAll() {
    rows = 0
  }
}
