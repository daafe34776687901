import Basics
import Foundation
import Game2048
import Learning
import NTupleNetwork

/// The players of a run, which play and learn on one shared network.
///
/// In asynchronous mode, each player has a thread and plays complete episodes. In synchronous mode, the
/// threads share the lanes and patterns of each round. ``AsynchronousTeam`` and ``RoundTeam`` describe them.
///
/// A training run lets a team play from barrier to barrier. Measurements use one without a run directory.
///
/// In a job of several processes, each has a team. The team of rank 0 tells the others what to do, and they
/// ``follow(_:)``.
///
/// Thread safety: one thread uses a team. Other threads may use its ledger.
public final class SelfPlayTeam {
  /// The ledger, which hands out the episodes and adds up their results.
  public let ledger: EpisodeLedger
  /// The tables of the update rules of the run.
  public let accumulators: Accumulators
  private let network: NTupleNetwork
  private let configuration: TrainingConfiguration
  private let mode: Mode
  /// The processes of the job.
  package let ranks: any Communicator

  private enum Mode {
    case asynchronous(AsynchronousTeam)
    case synchronous(RoundTeam)
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
  ///     team here, and the others with ``follow(_:)``.
  /// - Precondition: The network and the accumulators have the shape of the configuration, and the state
  ///   fits the configuration.
  public convenience init(
    network: NTupleNetwork, accumulators: Accumulators? = nil, configuration: TrainingConfiguration,
    ledger: EpisodeLedger = EpisodeLedger(), state: SelfPlayState? = nil,
    ranks: any Communicator = SoleProcess()
  ) {
    let accumulators = accumulators ?? Accumulators(network.shape, for: configuration.methods)
    precondition(ranks.isLeader, "only the leader creates a team by itself")
    let snapshot = ledger.snapshot
    ranks.tell(
      .start(
        configuration: configuration.jsonText, episodes: snapshot.episodes, moves: snapshot.moves,
        state: state))
    self.init(network, accumulators, configuration, ledger, state, ranks)
  }

  /// Requires that every machine of a job has the memory for its ranks, before rank 0 creates its team.
  ///
  /// - Parameter bytes: The memory that each rank needs, in bytes.
  /// - Throws: ``JobFailure``, which all ranks throw.
  package static func requireMemory(_ bytes: Int, of ranks: any Communicator) throws {
    ranks.tell(.memory(bytes))
    try ranks.requireMemory(bytes, for: "the network")
  }

  /// Creates the team of a rank, after the leader has told the others about it. The tables become those of rank 0.
  private init(
    _ network: NTupleNetwork, _ accumulators: Accumulators, _ configuration: TrainingConfiguration,
    _ ledger: EpisodeLedger, _ state: SelfPlayState?, _ ranks: any Communicator
  ) {
    DenseKernels.useOneThreadPerCaller()
    self.network = network
    self.ledger = ledger
    self.configuration = configuration
    self.accumulators = accumulators
    self.ranks = ranks
    let tables = accumulators.tables.sorted { $0.key < $1.key }.map(\.value)
    if ranks.size > 1 { for table in [network.weights] + tables { ranks.broadcast(table) } }
    mode =
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
    // The time of training begins when all ranks are ready.
    _ = ranks.gather([ranks.rank])
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
    if case .synchronous(let team) = mode, team.count(until: limit, moveLimit) { return }
    if ledger.isStopRequested { return }
    let now = RunClock.now
    ranks.tell(
      .play(
        limit: limit, moveLimit: moveLimit, seconds: deadline.map { now.duration(to: $0).seconds },
        secondsBefore: secondsBefore))
    play(until: limit, deadline, moveLimit, plan(began: now, secondsBefore: secondsBefore))
  }

  private func play(
    until limit: Int, _ deadline: SuspendingClock.Instant?, _ moveLimit: Int,
    _ plan: @Sendable (_ episode: Int) -> EpisodePlan
  ) {
    switch mode {
    case .asynchronous(let team):
      team.play(until: limit, deadline: deadline, moveLimit: moveLimit, plan: plan)
    case .synchronous(let team):
      team.play(until: limit, deadline: deadline, moveLimit: moveLimit, plan: plan)
    }
  }

  /// A count of the moves made, of which only differences have a meaning.
  ///
  /// In synchronous mode, games are in progress at a barrier, and the ledger counts the moves of a game only when it
  /// ends. This count has their moves, too. In asynchronous mode, it is that of the ledger.
  package var movesMade: Int {
    switch mode {
    case .asynchronous: ledger.snapshot.moves
    case .synchronous(let team): team.movesMade
    }
  }

  /// Whether barriers come with the interval of `merging`, because ranks merge their copies of the weights.
  package var mergesCopies: Bool { ranks.size > 1 && configuration.mode == .asynchronous }

  /// What merging has taken since the last call; nil if there is nothing to merge.
  package func takeMergeReadings() -> MergeReadings? {
    guard case .asynchronous(let team) = mode, mergesCopies else { return nil }
    defer { team.readings = MergeReadings() }
    return team.readings
  }

  /// Makes the copies of all ranks equal, after the players have played during a merge.
  package func settle() {
    guard mergesCopies, case .asynchronous(let team) = mode else { return }
    ranks.tell(.settle)
    team.settle()
  }

  /// Lets weights inherit; see `NTupleNetwork.inheritWeights(updated:)`.
  package func inheritWeights() {
    ranks.tell(.inherit)
    if case .asynchronous(let team) = mode, mergesCopies { return team.inheritWeights() }
    network.inheritWeights(updated: accumulators[TemporalCoherence.magnitudeName])
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

  /// The state of the players of all ranks at a barrier.
  package var state: SelfPlayState {
    ranks.tell(.state)
    switch mode {
    case .asynchronous(let team): return team.gatherState()
    case .synchronous(let team): return team.gatherState()
    }
  }

  deinit { ranks.tell(.end) }

  // MARK: Ranks

  /// What the leader of a job does next, and all ranks with it. Before they play, it may ask for memory, and starts
  /// a team.
  ///
  /// Only the leader reads files. The other ranks need no disk.
  fileprivate enum Task: Codable {
    /// Requires the bytes that every rank is about to allocate.
    case memory(Int)
    /// Creates the team of a run with this configuration and these episodes, moves and saved players of all ranks;
    /// the tables follow.
    case start(configuration: String, episodes: Int, moves: Int, state: SelfPlayState?)
    case play(limit: Int, moveLimit: Int, seconds: Double?, secondsBefore: Double)
    case settle
    case inherit
    case state
    case end
  }

  /// Plays and learns as a rank other than 0, until the leader's team ends.
  ///
  /// - Parameters:
  ///   - ranks: The processes of the job.
  ///   - onStart: Called with the ledger before the first task, so that a signal can stop the job.
  /// - Throws: An error of reading what the leader sends.
  public static func follow(
    _ ranks: any Communicator, onStart: (EpisodeLedger) -> Void = { _ in }
  ) throws {
    let team = try join(ranks)
    onStart(team.ledger)
    while true {
      switch try ranks.broadcast(nil as Task?) {
      case .play(let limit, let moveLimit, let seconds, let secondsBefore):
        let now = RunClock.now
        var deadline = seconds.map { now + .seconds($0) }
        if case .synchronous(let rounds) = team.mode {
          // Counts what the leader has counted. A signal does not end play before the leader knows of it.
          _ = rounds.count(until: limit, moveLimit)
          deadline = nil
        }
        team.play(
          until: limit, deadline, moveLimit, team.plan(began: now, secondsBefore: secondsBefore))
      case .settle: team.settle()
      case .inherit: team.inheritWeights()
      case .state: _ = team.state
      case .end: return
      case .memory, .start: preconditionFailure("a team starts once")
      }
    }
  }
  /// Waits until the leader starts a team, and creates that of this rank.
  private static func join(_ ranks: any Communicator) throws -> SelfPlayTeam {
    while true {
      switch try ranks.broadcast(nil as Task?) {
      case .memory(let bytes): try ranks.requireMemory(bytes, for: "the network")
      case .start(let text, let episodes, let moves, let state):
        var reader = ConfigurationReader()
        reader.read(Data(text.utf8), name: "the configuration of rank 0")
        let configuration = try reader.finished()
        let network = NTupleNetwork(try configuration.networkShape())
        return SelfPlayTeam(
          network, Accumulators(network.shape, for: configuration.methods), configuration,
          EpisodeLedger(episodes: episodes, moves: moves), state, ranks)
      default: preconditionFailure("a team starts before its other tasks")
      }
    }
  }
}

extension Communicator {
  /// Tells the other ranks what the leader does next.
  fileprivate func tell(_ task: @autoclosure () -> SelfPlayTeam.Task) {
    guard size > 1, isLeader else { return }
    // A task can always be encoded.
    _ = try! broadcast(task())
  }
}
