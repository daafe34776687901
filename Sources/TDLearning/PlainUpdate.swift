import NTupleNetwork

/// The update fused and in place: no matrix, no index list, no library.
///
/// The values are those that play has just read, since no weight of a lone worker moves within a
/// batch; only the first row, whose weights the batch before has moved, is read again.
public struct PlainUpdate: MinibatchUpdate {
  private let network: NTupleNetwork

  public init(network: NTupleNetwork, rowCapacity: Int) {
    self.network = network
  }

  public func apply(_ batch: EpisodeBatch, isTerminal: Bool, learningRate: Float) {
    guard batch.rows > 0 else { return }
    let rate = learningRate / Float(network.featureCount)
    var value = network.value(ofPlanes: batch.planes(0))
    for row in 0..<(batch.rows - 1) {
      let next = batch.playValues[row + 1]
      network.add(
        rate * (batch.rewards[row + 1] + next - value), toFeaturesOf: batch.planes(row))
      value = next
    }
    if isTerminal {
      network.add(rate * -value, toFeaturesOf: batch.planes(batch.rows - 1))
    }
  }
}
