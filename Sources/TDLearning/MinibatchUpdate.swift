import NTupleNetwork

/// One way to carry out the TD(0) update of a minibatch.
///
/// For a batch of rows `a_0 … a_{n−1}` the TD errors are
/// `δ_i = r_{i+1} + V(a_{i+1}) − V(a_i)`, and for the last afterstate of an episode
/// `δ_{n−1} = 0 − V(a_{n−1})`, with all values read before any weight moves. Every feature of `a_i`
/// then moves by `α · δ_i / m`, where `m` is the number of features; a feature that occurs in
/// several rows, or several times in one, moves once for each.
///
/// Source: Szubert and Jaśkowski 2014, equation for TD(0) on afterstates; here in batches.
public protocol MinibatchUpdate {
  /// An update of `network` for batches of up to `rowCapacity` rows.
  init(network: NTupleNetwork, rowCapacity: Int)

  /// Updates the network from `batch`.
  ///
  /// - Parameters:
  ///   - isTerminal: whether the last row is the last afterstate of its episode. If not, the last
  ///     row only serves as the successor of the row before it.
  ///   - learningRate: the total α; every feature moves by α/m of the error.
  func apply(_ batch: EpisodeBatch, isTerminal: Bool, learningRate: Float)
}
