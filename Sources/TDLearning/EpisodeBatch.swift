import DenseKernels
import NTupleNetwork

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
