import DenseKernels
import NTupleNetwork

/// The update as dense linear algebra: gather the features of the batch into a matrix
/// `X [features, rows]`, then `v = 1 · X`, `δ = r + v' − v`, `step = (α/m) δ` by OpenBLAS, and
/// scatter the steps.
///
/// Safety: `indices` holds a line of `rowCapacity` entries for each feature, like `matrix`, and
/// `scatterLookahead` more; a batch has at most `rowCapacity` rows, which `apply` checks.
@safe
public final class BLASUpdate: MinibatchUpdate {
  private let network: NTupleNetwork
  private let rowCapacity: Int
  private let matrix: FloatBuffer
  private let ones: FloatBuffer
  private let values: FloatBuffer
  private let steps: FloatBuffer
  private let indices: UnsafeMutablePointer<UInt32>

  public init(network: NTupleNetwork, rowCapacity: Int) {
    self.network = network
    self.rowCapacity = rowCapacity
    let entries = rowCapacity * network.featureCount
    matrix = FloatBuffer(count: entries)
    ones = FloatBuffer(count: network.featureCount, repeating: 1)
    // One more value than rows: the value 0 of what follows the end of an episode.
    values = FloatBuffer(count: rowCapacity + 1)
    steps = FloatBuffer(count: rowCapacity)
    let padded = entries + NTupleNetwork.scatterLookahead
    unsafe indices = .allocate(capacity: padded)
    unsafe indices.initialize(repeating: 0, count: padded)
  }

  deinit {
    unsafe indices.deallocate()
  }

  public func apply(_ batch: EpisodeBatch, isTerminal: Bool, learningRate: Float) {
    let rows = batch.rows
    let features = network.featureCount
    precondition(rows <= rowCapacity)
    let transitions = isTerminal ? rows : rows - 1
    guard transitions > 0 else { return }

    unsafe network.gather(
      featuresOf: batch.images, rows: rows, matrix: matrix.base, indices: indices,
      stride: rowCapacity)
    DenseKernels.columnSums(
      of: matrix, rows: features, columns: rows, stride: rowCapacity, ones: ones, into: values)
    values[rows] = 0

    // δ_i = V(a_{i+1}) + r_{i+1} − V(a_i); nothing follows, and nothing is earned after, a last row.
    DenseKernels.copy(values, from: 1, to: steps, count: transitions)
    DenseKernels.add(1, times: batch.rewards, from: 1, to: steps, count: rows - 1)
    DenseKernels.add(-1, times: values, to: steps, count: transitions)
    DenseKernels.scale(steps, by: learningRate / Float(features), count: transitions)

    unsafe network.scatter(steps.base, rows: transitions, indices: indices, stride: rowCapacity)
  }
}
