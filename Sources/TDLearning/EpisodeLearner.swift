import Game2048
import NTupleNetwork

/// Turns the afterstates of an episode into minibatches and applies them as they fill.
///
/// An episode's last, shorter batch is applied at its end, so that nothing is pending between
/// episodes.
public struct EpisodeLearner<Update: MinibatchUpdate> {
  private let update: Update
  private var batch: EpisodeBatch

  /// A learner that updates `network` every `batchSize` moves.
  public init(network: NTupleNetwork, batchSize: Int) {
    let batch = EpisodeBatch(transitions: batchSize, symmetries: network.symmetries)
    self.init(update: Update(network: network, rowCapacity: batch.rowCapacity), batch: batch)
  }

  /// A learner that fills `batch` and has `update` carry it out.
  init(update: Update, batch: EpisodeBatch) {
    self.update = update
    self.batch = batch
  }

  /// Takes in the next afterstate of the episode.
  public mutating func observe(_ move: GreedyMove, learningRate: Float) {
    batch.append(
      planes: move.afterstate.saturatedPlanes, reward: Float(move.reward), value: move.value)
    if batch.isFull {
      update.apply(batch, isTerminal: false, learningRate: learningRate)
      batch.keepLastRow()
    }
  }

  /// Ends the episode: after the last afterstate there is nothing to gain.
  public mutating func finishEpisode(learningRate: Float) {
    update.apply(batch, isTerminal: true, learningRate: learningRate)
    batch.removeAll()
  }
}
