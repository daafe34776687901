import Basics
import Foundation
import Game2048
import Learning
import NTupleNetwork

/// The players of a run, which play and learn on one shared network.
///
/// In asynchronous mode, each player has a thread and plays complete episodes. In synchronous mode, the
/// threads share the lanes and patterns of each round. `AsynchronousTeam` and `RoundTeam` describe them.
///
/// A training run lets a team play from barrier to barrier. Measurements use one without a run directory.
///
/// In a job of several processes, each has a team. The team of rank 0 gives orders, and the others
/// ``follow(_:onStart:)``.
///
/// Thread safety: one thread uses a team. Other threads may use its ledger.
public final class SelfPlayTeam {
  /// The ledger, which hands out the episodes and adds up their results.
  public let ledger: EpisodeLedger
  /// The tables of the update rules of the run.
  public let accumulators: Accumulators
  private let network: NTupleNetwork
  private let configuration: TrainingConfiguration
  private let players: Players
  /// The processes of the job.
  package let ranks: any Communicator
  /// The orders of rank 0; nil on other ranks.
  private let loop: Loop?

  private enum Players {
    case asynchronous(AsynchronousTeam)
    case synchronous(RoundTeam)

    /// Creates the players of a rank. The tables become those of rank 0. All ranks call it together.
    init(
      _ network: NTupleNetwork, _ accumulators: Accumulators,
      _ configuration: TrainingConfiguration, _ ledger: EpisodeLedger, _ state: SelfPlayState?,
      _ ranks: any Communicator
    ) {
      DenseKernels.useOneThreadPerCaller()
      let tables = accumulators.tables.sorted { $0.key < $1.key }.map(\.value)
      if ranks.size > 1 { for table in [network.weights] + tables { ranks.broadcast(table) } }
      self =
        switch configuration.mode {
        case .asynchronous:
          .asynchronous(
            AsynchronousTeam(
              network: network, accumulators: accumulators, configuration: configuration,
              ledger: ledger, state: state, ranks: ranks))
        case .synchronous:
          .synchronous(
            RoundTeam(
              network: network, configuration: configuration, ledger: ledger, state: state,
              ranks: ranks))
        }
    }
  }

  /// Creates the players of a run.
  ///
  /// - Parameters:
  ///   - network: The network that the players share.
  ///   - accumulators: The tables of the update rules; by default, tables of zeros.
  ///   - configuration: The configuration of the run.
  ///   - ledger: The ledger of the run; by default, that of a new run.
  ///   - state: The saved players. Players that it lacks start from the seed of the configuration.
  ///   - ranks: The processes of the job, which then all have a part of the players. Rank 0 creates its
  ///     team here, and the others with ``follow(_:onStart:)``.
  /// - Precondition: The network and the accumulators have the shape of the configuration, and the state
  ///   fits the configuration.
  public convenience init(
    network: NTupleNetwork, accumulators: Accumulators? = nil, configuration: TrainingConfiguration,
    ledger: EpisodeLedger = EpisodeLedger(), state: SelfPlayState? = nil,
    ranks: any Communicator = SoleProcess()
  ) {
    self.init(
      network, accumulators, configuration, ledger, state, ranks, Loop(leading: ranks))
  }

  /// Creates the players of rank 0, whose loop may have had orders before.
  convenience init(
    _ network: NTupleNetwork, _ accumulators: Accumulators?, _ configuration: TrainingConfiguration,
    _ ledger: EpisodeLedger, _ state: SelfPlayState?, _ ranks: any Communicator, _ loop: Loop
  ) {
    let accumulators = accumulators ?? Accumulators(network.shape, for: configuration.methods)
    let snapshot = ledger.snapshot
    let order = Order.start(
      configuration: configuration.jsonText, episodes: snapshot.episodes, moves: snapshot.moves,
      state: state)
    var players: Players?
    // The time of training begins when all ranks are ready.
    _ = loop.tell(order) {
      players = Players(network, accumulators, configuration, ledger, state, ranks)
      return []
    }
    self.init(network, accumulators, configuration, ledger, ranks, players!, leading: loop)
  }

  private init(
    _ network: NTupleNetwork, _ accumulators: Accumulators, _ configuration: TrainingConfiguration,
    _ ledger: EpisodeLedger, _ ranks: any Communicator, _ players: Players, leading loop: Loop?
  ) {
    self.network = network
    self.accumulators = accumulators
    self.configuration = configuration
    self.ledger = ledger
    self.ranks = ranks
    self.players = players
    self.loop = loop
  }

  /// Lets the players play up to a barrier, and waits for all of them.
  ///
  /// The barrier is reached with the first of the limits. An episode or round in progress is completed
  /// first. In asynchronous mode, the barrier of a job of several processes comes at the latest with the
  /// interval of `merging`.
  ///
  /// - Parameters:
  ///   - limit: The number of episodes of the run.
  ///   - deadline: The time of ``RunClock`` after which no episode or round begins.
  ///   - moveLimit: The number of moves of the run after which no episode or round begins.
  ///   - secondsBefore: The training time of the run before this call, in seconds, for the schedules of
  ///     a run with a time limit.
  public func play(
    until limit: Int, deadline: SuspendingClock.Instant? = nil, moveLimit: Int = .max,
    secondsBefore: Double = 0
  ) {
    if case .synchronous(let team) = players, team.count(until: limit, moveLimit) { return }
    if ledger.isStopRequested { return }
    give(
      .play(
        limit: limit, moveLimit: moveLimit,
        seconds: deadline.map { RunClock.now.duration(to: $0).seconds },
        secondsBefore: secondsBefore))
  }

  /// A count of the moves made, of which only differences have a meaning.
  ///
  /// In synchronous mode, games are in progress at a barrier, and the ledger counts the moves of a game only when it
  /// ends. This count has their moves, too. In asynchronous mode, it is that of the ledger.
  package var movesMade: Int {
    switch players {
    case .asynchronous: ledger.snapshot.moves
    case .synchronous(let team): team.movesMade
    }
  }

  /// Whether barriers come with the interval of `merging`, because ranks merge their copies of the weights.
  package var mergesCopies: Bool { ranks.size > 1 && configuration.mode == .asynchronous }

  /// What merging has taken since the last call; nil if there is nothing to merge.
  package func takeMergeReadings() -> MergeReadings? {
    guard case .asynchronous(let team) = players, mergesCopies else { return nil }
    defer { team.readings = MergeReadings() }
    return team.readings
  }

  /// Makes the copies of all ranks equal, after the players have played during a merge.
  package func settle() { if mergesCopies { give(.settle) } }

  /// Lets weights inherit; see `NTupleNetwork.inheritWeights(updated:)`.
  package func inheritWeights() { give(.inherit) }

  /// The state of the players of all ranks at a barrier.
  package var state: SelfPlayState {
    let states = give(.state).flatMap(\.self)
    guard case .synchronous(let team) = players else { return SelfPlayState(players: states) }
    return SelfPlayState(players: states, uncounted: team.uncounted)
  }

  /// Returns a function from the number of an episode to its plan.
  ///
  /// A rank of asynchronous mode takes it that the others play as much as itself until they merge.
  ///
  /// - Parameters:
  ///   - began: The time when the team began to play.
  ///   - secondsBefore: The training time of the run before that, in seconds.
  private func plan(
    began: SuspendingClock.Instant, secondsBefore: Double
  ) -> @Sendable (_ episode: Int) -> EpisodePlan {
    let (methods, rates, starts) =
      (configuration.method, configuration.learningRate, configuration.starts)
    let (length, accumulators, ledger) = (configuration.length, accumulators, ledger)
    let others = mergesCopies ? ranks.size - 1 : 0
    return { episode in
      let snapshot = ledger.snapshot
      let share = length.share(
        episodes: episode + others * snapshot.sinceOpening.episodes,
        moves: snapshot.moves + others * snapshot.sinceOpening.moves,
        seconds: length.seconds > 0 ? secondsBefore + began.duration(to: RunClock.now).seconds : 0)
      return EpisodePlan(
        rule: methods.value(at: share).rule.init(
          learningRate: Float(rates.value(at: share)), accumulators: accumulators),
        start: starts.value(at: share))
    }
  }

  // MARK: Ranks

  /// The orders of rank 0. Each rank replies with the state of its players to ``Order/state``, and else with nothing.
  typealias Loop = RankLoop<Order, [PlayerState]>

  /// What all ranks do next. Before they play, rank 0 may ask for memory, and starts the team.
  ///
  /// Only rank 0 reads files. The other ranks need no disk.
  enum Order: Codable {
    /// Require the bytes that every rank is about to allocate.
    case memory(Int)
    /// Create the team of a run with this configuration and these episodes, moves and saved players of all ranks;
    /// the tables follow.
    case start(configuration: String, episodes: Int, moves: Int, state: SelfPlayState?)
    case play(limit: Int, moveLimit: Int, seconds: Double?, secondsBefore: Double)
    case settle
    case inherit
    case state
  }

  /// Lets all ranks carry out an order, and returns their replies.
  @discardableResult
  private func give(_ order: Order) -> [[PlayerState]] {
    loop!.tell(order) { carryOut(order) }
  }

  /// Carries out an order that rank 0 gives once the team has started. All ranks call it together.
  private func carryOut(_ order: Order) -> [PlayerState] {
    switch (order, players) {
    case (.play(let limit, let moveLimit, let seconds, let secondsBefore), _):
      let now = RunClock.now
      let deadline = seconds.map { now + .seconds($0) }
      let plan = plan(began: now, secondsBefore: secondsBefore)
      switch players {
      case .asynchronous(let team):
        team.play(until: limit, deadline: deadline, moveLimit: moveLimit, plan: plan)
      case .synchronous(let team):
        // Counts what rank 0 has counted. Its clock is the one that ends play.
        _ = team.count(until: limit, moveLimit)
        team.play(
          until: limit, deadline: ranks.isLeader ? deadline : nil, moveLimit: moveLimit, plan: plan)
      }
    case (.settle, .asynchronous(let team)): team.settle()
    case (.inherit, .asynchronous(let team)) where mergesCopies: team.inheritWeights()
    case (.inherit, _):
      network.inheritWeights(updated: accumulators[TemporalCoherence.magnitudeName])
    case (.state, .asynchronous(let team)): return team.states
    case (.state, .synchronous(let team)): return team.states
    case (.memory, _), (.start, _), (.settle, _): preconditionFailure("a team starts once")
    }
    return []
  }

  /// Plays and learns as a rank other than 0, until the team of rank 0 is released.
  ///
  /// - Parameters:
  ///   - ranks: The processes of the job.
  ///   - onStart: Called with the ledger before the first episode, so that a signal can stop the job.
  /// - Throws: `JobFailure` if a machine lacks the memory.
  public static func follow(
    _ ranks: any Communicator, onStart: (EpisodeLedger) -> Void = { _ in }
  ) throws {
    var team: SelfPlayTeam?
    try Loop.follow(ranks) { order in
      switch order {
      case .memory(let bytes): try ranks.requireMemory(bytes, for: "the network")
      case .start(let text, let episodes, let moves, let state):
        var reader = ConfigurationReader()
        reader.read(Data(text.utf8), name: "the configuration of rank 0")
        let configuration = try reader.finished()
        let network = NTupleNetwork(try configuration.networkShape())
        let accumulators = Accumulators(network.shape, for: configuration.methods)
        let ledger = EpisodeLedger(episodes: episodes, moves: moves)
        onStart(ledger)
        team = SelfPlayTeam(
          network, accumulators, configuration, ledger, ranks,
          Players(network, accumulators, configuration, ledger, state, ranks), leading: nil)
      default: return team!.carryOut(order)
      }
      return []
    }
  }
}

extension SelfPlayTeam.Loop {
  /// Requires that every machine of a job has the memory for its ranks, before rank 0 creates its team.
  ///
  /// - Parameter bytes: The memory that each rank needs, in bytes.
  /// - Throws: `JobFailure`, which all ranks throw.
  func requireMemory(_ bytes: Int, of ranks: any Communicator) throws {
    _ = try order(.memory(bytes)) {
      try ranks.requireMemory(bytes, for: "the network")
      return []
    }
  }
}
