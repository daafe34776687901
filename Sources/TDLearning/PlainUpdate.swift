import DenseKernels
import NTupleNetwork

/// The update fused and in place: no matrix, no index list, no library.
///
/// The values are those that play has just read, since no weight of a lone worker moves within a
/// batch; only the first row, whose weights the batch before has moved, is read again.
public struct PlainUpdate: MinibatchUpdate {
  private let network: NTupleNetwork
  private let steps: FloatBuffer

  public init(network: NTupleNetwork, rowCapacity: Int) {
    self.network = network
    steps = FloatBuffer(count: rowCapacity)
  }

  public func apply(_ batch: EpisodeBatch, isTerminal: Bool, learningRate: Float) {
    let rows = batch.rows
    let transitions = isTerminal ? rows : rows - 1
    guard transitions > 0 else { return }
    let rate = learningRate / Float(network.featureCount)
    var value = network.value(ofPlanes: batch.planes(0))
    for row in 0..<(rows - 1) {
      let next = batch.playValues[row + 1]
      steps[row] = rate * (batch.rewards[row + 1] + next - value)
      value = next
    }
    if isTerminal { steps[rows - 1] = rate * -value }
    unsafe network.add(steps.base, to: batch.images, rows: transitions)
  }
}
