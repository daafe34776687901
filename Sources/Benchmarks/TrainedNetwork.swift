import Basics
import Configuration
import Game2048
import NTupleNetwork
import SelfPlay
import TDLearning

/// The network that a benchmark starts from, and a copy of it to work on.
///
/// It must have been trained: in the tables of an untrained one most look-ups meet memory that was
/// never written, and hardly a cache line is missed.
package final class TrainedNetwork {
  /// What tables call it: a pattern set, or a model.
  package let name: String
  let original: NTupleNetwork
  /// The rules that it was trained by.
  let rules: Rules
  let working: NTupleNetwork
  /// What temporal coherence has kept; nil if that is not known.
  private let accumulators: Accumulators?
  private lazy var workingAccumulators = Accumulators(original.shape, for: [.tc])

  /// The memory that all copies take at most, in bytes.
  package static func byteCount(_ shape: NetworkShape) -> Int {
    2 * (1 + Accumulators.count(for: [.tc])) * shape.byteCount
  }

  /// A network that has been trained already.
  ///
  /// - Throws: `LocatedError` if a copy of it does not fit into memory.
  package convenience init(name: String, network: NTupleNetwork, rules: Rules) throws {
    try Memory.require(
      network.shape.byteCount, for: "a copy of the network's weights", path: name)
    self.init(name: name, network, rules, nil)
  }

  private init(
    name: String, _ network: NTupleNetwork, _ rules: Rules, _ accumulators: Accumulators?
  ) {
    self.name = name
    self.rules = rules
    original = network
    working = NTupleNetwork(network.shape)
    self.accumulators = accumulators
  }

  /// Trains a network, always in the same way: with one thread, TC(λ 0.5) on the plain path.
  ///
  /// - Parameters:
  ///   - moves: when to stop: after the thousand games in which so many moves are reached.
  /// - Throws: `LocatedError` if it does not fit into memory.
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
    configuration.updatePath = .plain
    let team = SelfPlayTeam(network: network, configuration: configuration)
    repeat {
      team.play(until: team.ledger.snapshot.episodes + 1_000)
    } while team.ledger.snapshot.moves < moves
    self.init(name: name, network, configuration.rules, team.accumulators)
  }

  /// Its patterns as a configuration names them.
  package var patterns: [String] { original.shape.patterns.map(\.description) }

  /// Rows and columns of its board.
  package var boardSize: Int { original.shape.boardSize }

  /// The memory of its weights, in bytes.
  package var byteCount: Int { original.shape.byteCount }

  /// The working copy, as the network was at the start.
  func restored() -> NTupleNetwork {
    working.weights.copy(from: original.weights)
    return working
  }

  /// Refuses accumulators that would not fit into memory; those of a network trained here were asked for.
  func requireAccumulators() throws {
    guard accumulators == nil else { return }
    try Memory.require(
      (1 + Accumulators.count(for: [.tc])) * original.shape.byteCount,
      for: "a copy of the network, with accumulators,", path: name)
  }

  /// The working copy of the accumulators, as they were at the start; zeros, in memory that is there, if
  /// that is not known.
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
