import DenseKernels
import NTupleNetwork

/// A minibatch: consecutive afterstates of one episode, oldest first.
///
/// Row `i` holds the afterstate `a_i`, the reward `r_i` of the move that reached it, and the value
/// that play read for it. The TD error of row `i` needs row `i + 1`, so a batch of `B` transitions
/// has `B + 1` rows, and more where the returns look further ahead.
///
/// The rows live in buffers that copies of a batch share; a worker has one batch and makes no copies.
public struct EpisodeBatch {
  /// The number of rows that fit.
  public let rowCapacity: Int
  /// The number of rows in use.
  @usableFromInline var rows = 0
  /// `rewards[i]`: the points of the move that reached row `i`.
  @usableFromInline let rewards: FloatBuffer
  /// `values[i]`: the network's value of row `i` when the move was chosen.
  @usableFromInline let values: FloatBuffer
  /// The afterstates, their exponents at most 15, and from time to time their images.
  @usableFromInline let images: BoardImages

  /// A batch for up to `rowCapacity` afterstates.
  public init(rowCapacity: Int) {
    self.rowCapacity = rowCapacity
    rewards = FloatBuffer(count: rowCapacity)
    values = FloatBuffer(count: rowCapacity)
    images = BoardImages(capacity: rowCapacity)
  }

  @inlinable var isFull: Bool { rows == rowCapacity }

  /// Adds the next afterstate of the episode.
  ///
  /// - Parameter planes: its planes, every exponent at most 15.
  /// - Precondition: the batch is not full.
  @inlinable
  mutating func append(planes: UInt64, reward: Float, value: Float) {
    precondition(rows < rowCapacity, "the batch is full")
    images.store(planes: planes, row: rows)
    rewards[rows] = reward
    values[rows] = value
    rows += 1
  }

  /// The planes of the afterstate in `row`.
  func planes(_ row: Int) -> UInt64 { images.planes(row) }

  /// Takes away the oldest `count` rows.
  ///
  /// - Precondition: there are as many.
  mutating func removeFirst(_ count: Int) {
    precondition(count <= rows)
    for row in count..<rows {
      images.store(planes: planes(row), row: row - count)
      rewards[row - count] = rewards[row]
      values[row - count] = values[row]
    }
    rows -= count
  }
}
