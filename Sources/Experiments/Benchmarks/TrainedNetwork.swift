import Basics
import Game2048
import Learning
import NTupleNetwork
import Play
import Training

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
  /// Makes the players that are measured.
  let players: PlayerFactory
  /// The accumulators of temporal coherence; nil if they are not known.
  private let accumulators: Accumulators?
  private lazy var workingAccumulators = Accumulators(original.shape, for: [.tc])

  /// Returns the maximum memory of all copies in bytes.
  package static func byteCount(_ shape: NetworkShape) -> Int {
    2 * (1 + Accumulators.names(for: [.tc]).count) * shape.byteCount
  }

  /// Uses a trained network.
  ///
  /// - Parameter players: Makes the players that are measured; nil for players with this network.
  /// - Throws: `LocatedError` if a copy of the network does not fit into memory.
  package init(
    name: String, network: NTupleNetwork, rules: Rules, accumulators: Accumulators? = nil,
    players: PlayerFactory? = nil
  ) throws {
    try Memory.require(
      network.shape.byteCount, for: "a copy of the network's weights", path: name)
    self.name = name
    self.rules = rules
    original = network
    self.players = players ?? PlayerFactory(network: network, rules: rules)
    working = NTupleNetwork(network.shape)
    working.levelOffsets = network.levelOffsets
    self.accumulators = accumulators
  }

  /// Trains a network with one thread and TC(λ 0.5).
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

extension TrainedNetwork {
  /// Returns the moves of complete greedy games from a fixed seed, with at least `moves` moves in total.
  package func recordedGames(moves: Int) -> [[GreedyMove]] {
    var game = SelfPlayGame(
      network: original, rules: rules, learner: Recorder(),
      starts: EpisodeStarts(TrainingConfiguration().startSettings), source: Xoshiro256(seed: 2048))
    var count = 0
    repeat {
      var remaining = Int.max
      count += game.play(&remaining, start: .opening)?.moves ?? 0
    } while count < moves
    return game.learner.games
  }

  /// Returns `count` states with a legal move, evenly spaced among ten times as many recorded moves.
  package func recordedStates(count: Int) -> [Board] {
    var source = Xoshiro256(seed: 2048)
    let states = recordedGames(moves: 10 * count).flatMap { game in
      // A spawn turns an afterstate into a state. After the last move of a game there may be no legal move.
      game.dropLast().map { move in
        var board = move.afterstate
        rules.spawn(on: &board, using: &source)
        return board
      }
    }.filter { !rules.isOver($0) }
    return (0..<min(count, states.count)).map { states[$0 * states.count / count] }
  }
}

/// A learner that only records the moves of episodes.
private struct Recorder: EpisodeLearner {
  private(set) var games: [[GreedyMove]] = []
  private var moves: [GreedyMove] = []

  mutating func observe(_ move: GreedyMove) { moves.append(move) }

  mutating func finishEpisode() {
    games.append(moves)
    moves = []
  }
}

/// Networks of increasing size, which show the effect of memory and caches on speed.
package enum GrowingNetworks {
  /// Twelve patterns of six cells, no two equal under a symmetry: the 8x6 set and four more.
  static let sixCells = [
    "012456", "456789", "012345", "234569", "01259a", "345678", "134567", "01489a", "01256a",
    "0126ae", "015689", "01469a",
  ]

  /// Pattern sets of 1 to 12 patterns of six cells.
  package static let counts: [[String]] = (1...sixCells.count).map { Array(sixCells.prefix($0)) }

  /// Pattern sets of two patterns of 4, 5, 6 and 7 cells.
  package static let sizes: [[String]] = [
    ["0123", "4567"], ["01234", "45678"], ["012345", "456789"], ["0123456", "456789a"],
  ]

  /// Returns the name of a network in tables: such as `12x6` for twelve patterns of six cells, or the list
  /// of patterns if their sizes differ.
  package static func name(_ patterns: [String]) -> String {
    let sizes = Set(patterns.map(\.count))
    return sizes.count == 1
      ? "\(patterns.count)x\(sizes.first!)" : patterns.joined(separator: ",")
  }
}
