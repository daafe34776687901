import DenseKernels
import NTupleNetwork

/// The update as dense linear algebra: gather the features of the batch into a matrix
/// `X [rows, features]`, then `v = X · 1`, `δ = r + v' − v`, `step = (α/m) δ` by OpenBLAS, and
/// scatter the steps.
///
/// Safety: `indices` holds `rowCapacity · featureCount` entries, like `matrix`, and a row of either
/// is passed on only for rows below the batch's count, which is at most `rowCapacity`.
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
    unsafe indices = .allocate(capacity: entries)
    unsafe indices.initialize(repeating: 0, count: entries)
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

    for row in 0..<rows {
      unsafe network.gather(
        featuresOf: batch.planes(row), indices: indices + row &* features,
        row: matrix.base + row &* features)
    }
    DenseKernels.rowSums(of: matrix, rows: rows, columns: features, ones: ones, into: values)
    values[rows] = 0

    // δ_i = V(a_{i+1}) + r_{i+1} − V(a_i); nothing follows, and nothing is earned after, a last row.
    DenseKernels.copy(values, from: 1, to: steps, count: transitions)
    DenseKernels.add(1, times: batch.rewards, from: 1, to: steps, count: rows - 1)
    DenseKernels.add(-1, times: values, to: steps, count: transitions)
    DenseKernels.scale(steps, by: learningRate / Float(features), count: transitions)

    for row in 0..<transitions {
      unsafe network.scatter(adding: steps.base[row], indices: indices + row &* features)
    }
  }
}
