import Basics
import Configuration
import Game2048
import NTupleNetwork
import SelfPlay
import TDLearning

/// The initial network of a benchmark, with a working copy.
///
/// The network must be trained. Most look-ups in the tables of an untrained network access memory that was
/// never written, so that cache misses are rare.
package final class TrainedNetwork {
  /// The name in tables: a pattern set or a model.
  package let name: String
  let original: NTupleNetwork
  /// The rules of the game that it was trained for.
  let rules: Rules
  let working: NTupleNetwork
  /// The accumulators of temporal coherence; nil if they are not known.
  private let accumulators: Accumulators?
  private lazy var workingAccumulators = Accumulators(original.shape, for: [.tc])

  /// Returns the maximum memory of all copies in bytes.
  package static func byteCount(_ shape: NetworkShape) -> Int {
    2 * (1 + Accumulators.names(for: [.tc]).count) * shape.byteCount
  }

  /// Uses a trained network.
  ///
  /// - Throws: `LocatedError` if a copy of the network does not fit into memory.
  package init(
    name: String, network: NTupleNetwork, rules: Rules, accumulators: Accumulators? = nil
  ) throws {
    try Memory.require(
      network.shape.byteCount, for: "a copy of the network's weights", path: name)
    self.name = name
    self.rules = rules
    original = network
    working = NTupleNetwork(network.shape)
    self.accumulators = accumulators
  }

  /// Trains a network with one thread, TC(λ 0.5) and the plain kernel backend.
  ///
  /// - Parameter moves: The minimum number of moves; the training stops after a multiple of 1,000 games.
  /// - Throws: `LocatedError` if the network and its copies do not fit into memory.
  package convenience init(name: String, training shape: NetworkShape, moves: Int) throws {
    try Memory.require(
      TrainedNetwork.byteCount(shape), for: "two copies of the network, with accumulators,",
      path: name)
    let network = NTupleNetwork(shape)
    var configuration = TrainingConfiguration()
    configuration.boardSize = shape.boardSize
    configuration.patterns = shape.patterns.map(\.description)
    configuration.method = StepSchedule(constant: .tc)
    configuration.learningRate = StepSchedule(constant: 1)
    configuration.returns = .lambda
    configuration.kernelBackend = .plain
    let team = SelfPlayTeam(network: network, configuration: configuration)
    repeat {
      team.play(until: team.ledger.snapshot.episodes + 1_000)
    } while team.ledger.snapshot.moves < moves
    try self.init(
      name: name, network: network, rules: configuration.rules, accumulators: team.accumulators)
  }

  /// The patterns, as in a configuration.
  package var patterns: [String] { original.shape.patterns.map(\.description) }

  /// The number of rows and columns of the board.
  package var boardSize: Int { original.shape.boardSize }

  /// The memory of the weights in bytes.
  package var byteCount: Int { original.shape.byteCount }

  /// Resets the working copy to the initial weights and returns it.
  func restored() -> NTupleNetwork {
    working.weights.copy(from: original.weights)
    return working
  }

  /// Checks that the accumulators fit into memory, unless the network was trained here and already has them.
  ///
  /// - Throws: `LocatedError` if they do not fit.
  func requireAccumulators() throws {
    guard accumulators == nil else { return }
    try Memory.require(
      (1 + Accumulators.names(for: [.tc]).count) * original.shape.byteCount,
      for: "a copy of the network, with accumulators,", path: name)
  }

  /// Resets the working copy of the accumulators to their initial values and returns it.
  ///
  /// Unknown accumulators are set to 0. Writing the zeros allocates the memory before a measurement.
  func restoredAccumulators() -> Accumulators {
    for (name, table) in workingAccumulators.tables {
      if let accumulators {
        table.copy(from: accumulators[name])
      } else {
        table.fill(with: 0)
      }
    }
    return workingAccumulators
  }
}
