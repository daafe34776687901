import DenseKernels

/// A minibatch: consecutive afterstates of one episode, oldest first.
///
/// Row `i` holds the afterstate `a_i`, the reward `r_i` of the move that reached it, and the value
/// that play read for it. The TD error of row `i` needs row `i + 1`, so a batch of `B` transitions
/// has `B + 1` rows; the last row of a full batch becomes the first of the next.
///
/// Safety: `planes` is allocated in `init`, freed in `deinit`, and indexed only by rows below
/// `rowCapacity`, which `append` checks.
@safe
public final class EpisodeBatch {
  /// The number of rows that fit.
  public let rowCapacity: Int
  /// The number of rows in use.
  public private(set) var rows = 0
  /// `rewards[i]`: the points of the move that reached row `i`.
  let rewards: FloatBuffer
  /// `playValues[i]`: the network's value of row `i` when the move was chosen.
  let playValues: FloatBuffer

  private let planes: UnsafeMutablePointer<UInt64>

  /// A batch for up to `transitions` transitions.
  public init(transitions: Int) {
    rowCapacity = transitions + 1
    rewards = FloatBuffer(count: rowCapacity)
    playValues = FloatBuffer(count: rowCapacity)
    unsafe planes = .allocate(capacity: rowCapacity)
    unsafe planes.initialize(repeating: 0, count: rowCapacity)
  }

  deinit {
    unsafe planes.deallocate()
  }

  var isFull: Bool { rows == rowCapacity }

  /// The planes of the afterstate in `row`, every exponent at most 15.
  func planes(_ row: Int) -> UInt64 {
    assert(row < rows)
    return unsafe planes[row]
  }

  /// Adds the next afterstate of the episode.
  ///
  /// - Precondition: the batch is not full.
  func append(planes: UInt64, reward: Float, value: Float) {
    precondition(rows < rowCapacity, "the batch is full")
    unsafe self.planes[rows] = planes
    unsafe rewards.base[rows] = reward
    unsafe playValues.base[rows] = value
    rows += 1
  }

  /// Empties the batch, but for its last row, from which the episode goes on.
  func keepLastRow() {
    let last = rows - 1
    unsafe planes[0] = planes[last]
    rewards[0] = rewards[last]
    playValues[0] = playValues[last]
    rows = 1
  }

  /// Empties the batch.
  func removeAll() {
    rows = 0
  }
}
