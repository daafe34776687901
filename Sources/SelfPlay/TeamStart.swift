import Configuration
import Foundation
import NTupleNetwork
import Ranks
import TDLearning

/// What the leader of a job sends to the other ranks before they play, apart from the tables.
///
/// Only the leader reads files. The other ranks need no disk.
struct TeamStart: Codable {
  /// The text of the configuration.
  var configuration: String
  /// The episodes and moves of the run so far.
  var episodes: Int
  var moves: Int
  /// The saved players of all ranks; nil in a new run.
  var state: SelfPlayState?

  /// What the leader sends before the first task.
  private enum Message: Codable {
    /// The bytes that every rank is about to allocate.
    case memory(Int)
    case start(TeamStart)
  }

  /// Requires that every machine of the job has the memory for its ranks.
  ///
  /// - Parameter bytes: The memory that each rank needs, in bytes.
  /// - Throws: ``JobFailure``, which all ranks throw.
  static func requireMemory(_ bytes: Int, of ranks: any Communicator) throws {
    if ranks.size == 1 { return }
    _ = try ranks.broadcast(Message.memory(bytes))
    try ranks.requireMemory(bytes, for: "the network")
  }

  /// Sends the start and the tables to the other ranks.
  func lead(_ ranks: any Communicator, _ network: NTupleNetwork, _ accumulators: Accumulators) {
    do {
      _ = try ranks.broadcast(Message.start(self))
    } catch {
      fatalError("the start of a run cannot be sent: \(error)")
    }
    TeamStart.share(ranks, network, accumulators)
  }

  /// Receives the start and the tables, and creates the team of this rank.
  static func follow(_ ranks: any Communicator) throws -> SelfPlayTeam {
    var received: TeamStart?
    while received == nil {
      switch try ranks.broadcast(nil as Message?) {
      case .memory(let bytes): try ranks.requireMemory(bytes, for: "the network")
      case .start(let start): received = start
      }
    }
    let start = received!
    var reader = ConfigurationReader()
    reader.read(Data(start.configuration.utf8), name: "the configuration of rank 0")
    let configuration = try reader.finished()
    let network = NTupleNetwork(try configuration.networkShape())
    let accumulators = Accumulators(network.shape, for: configuration.methods)
    share(ranks, network, accumulators)
    return SelfPlayTeam(
      network, accumulators, configuration,
      EpisodeLedger(episodes: start.episodes, moves: start.moves), start.state, ranks)
  }

  /// Copies the weights and accumulators of rank 0 to the other ranks.
  private static func share(
    _ ranks: any Communicator, _ network: NTupleNetwork, _ accumulators: Accumulators
  ) {
    let tables = accumulators.tables.sorted { $0.key < $1.key }.map(\.value)
    for table in [network.weights] + tables { ranks.broadcast(table) }
  }
}
