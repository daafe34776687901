import Basics
import Learning
import NTupleNetwork

/// The memory and disk space that a run takes.
struct RunResources: CustomStringConvertible {
  /// The memory of weights, accumulators and the learners' buffers, in bytes.
  let memory: Int
  let disk: DiskUse
  private let weightCount: Int

  /// - Parameter ranks: The number of processes of the job, each of which takes this much memory.
  init(_ shape: NetworkShape, _ configuration: TrainingConfiguration, ranks: Int = 1) {
    let ofRules = Accumulators.names(for: configuration.methods).count
    // The running average, and that up to now while it is evaluated or saved.
    let accumulators = ofRules + (configuration.averagingEveryEpisodes > 0 ? 2 : 0)
    let merger =
      ranks > 1 && configuration.mode == .asynchronous
      ? TableMerger.byteCount(shape, accumulators: ofRules) : 0
    memory =
      shape.byteCount * (1 + accumulators) + merger
      + RunResources.buffers(of: shape, configuration)
    disk = DiskUse(
      shape: shape, keep: configuration.checkpointKeep, accumulators: accumulators)
    weightCount = shape.entryCount
  }

  private static func buffers(
    of shape: NetworkShape, _ configuration: TrainingConfiguration
  ) -> Int {
    let returns = configuration.returnEstimate
    switch configuration.mode {
    case .asynchronous:
      return configuration.threads
        * BatchLearner.byteCount(batchSize: configuration.batchSize, returns: returns)
    case .synchronous:
      let (lanes, moves) = (configuration.lanes, configuration.movesPerLane)
      let patterns = shape.patterns.count
      return lanes * RoundLearner.byteCount(patterns: patterns, batchSize: moves, returns: returns)
        + configuration.threadsAtWork(patterns: patterns)
        * DeltaScratch.byteCount(lanes: lanes, batchSize: moves, returns: returns)
    }
  }

  /// The resources in a sentence.
  var description: String {
    """
    \(NumberText.grouped(weightCount)) weights take \(byteText(memory)) of memory; \
    checkpoints take up to \(byteText(disk.whileSaving)) of disk space
    """
  }

  /// Rejects a run that does not fit into memory or whose checkpoint does not fit on the disk.
  ///
  /// - Throws: ``LocatedError`` with the sizes.
  func require(for path: String) throws {
    try requireMemory(for: path)
    let needed = disk.checkpoint + disk.state
    if let free = freeDiskSpace(at: path), free < needed {
      throw LocatedError(
        .cannotCreate, path: path,
        "a checkpoint takes up to \(byteText(needed)), and \(byteText(free)) of disk space are free",
        remedy: "free some space, or choose another place with --run")
    }
  }

  /// Rejects a run that does not fit into memory.
  ///
  /// - Throws: ``LocatedError`` with the sizes.
  func requireMemory(for path: String) throws {
    try Memory.require(memory, for: "the network", path: path)
  }
}

/// What a run takes: its memory and disk space, and its time by the speed of its first seconds.
///
/// Nothing is written. The network that is trained for the estimate is thrown away.
public struct RunEstimate: Sendable {
  /// The memory that the run takes, in bytes.
  public let memory: Int
  /// The largest disk space that the checkpoints of the run take, which is during a save, in bytes.
  public let disk: Int
  /// The speed after the warm-up, in moves/s.
  public let movesPerSecond: Double
  /// The time to the end of the run, in seconds of training: the least and the most that any part of the measurement
  /// alone would suggest.
  ///
  /// If episodes are limited, it depends on how long they grow, which a few seconds hardly show.
  public let seconds: ClosedRange<Double>

  /// The parts of the measurement.
  private static let parts = 4

  /// Estimates a run by playing for some seconds.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the run.
  ///   - seconds: The time that is measured, in seconds. A warm-up of 200,000 moves, or of 10 s if they take longer,
  ///     comes before it, in tables that take their memory first.
  /// - Throws: `LocatedError` if the run does not fit into memory.
  public init(_ configuration: TrainingConfiguration, seconds: Double = 4) throws {
    let shape = try configuration.networkShape()
    let resources = RunResources(shape, configuration)
    try resources.requireMemory(for: "this configuration")
    memory = resources.memory
    disk = resources.disk.whileSaving
    let network = NTupleNetwork(shape, for: configuration)
    let team = SelfPlayTeam(network: network, configuration: configuration)
    // The first moves would mostly wait for the memory of the tables.
    for table in [network.weights] + team.accumulators.tables.values { table.populate() }
    var played = RunEstimate.play(team, seconds: 10, moves: 200_000)
    let (movesBefore, secondsBefore) = (team.movesMade, played)
    var parts: [(speed: Double, ended: EpisodeStatistics)] = []
    for _ in 0..<RunEstimate.parts {
      team.ledger.beginReport()
      let before = team.movesMade
      let seconds = RunEstimate.play(
        team, seconds: seconds / Double(RunEstimate.parts), before: played)
      played += seconds
      parts.append((Double(team.movesMade - before) / seconds, team.ledger.snapshot.sinceReport))
    }
    movesPerSecond = Double(team.movesMade - movesBefore) / (played - secondsBefore)
    if parts.allSatisfy({ $0.ended.episodes == 0 }) {
      // The length of episodes is not known before one has ended.
      team.play(until: team.ledger.snapshot.episodes + 1)
      parts = parts.map { ($0.speed, team.ledger.snapshot.sinceReport) }
    }
    let all = team.ledger.snapshot
    let estimates = parts.filter { $0.speed > 0 && $0.ended.episodes > 0 }.map { part in
      configuration.length.secondsLeft(
        episodes: all.episodes, moves: all.moves, seconds: 0,
        recent: (part.ended.episodes, part.ended.moves), in: Double(part.ended.moves) / part.speed)
    }
    self.seconds = (estimates.min() ?? 0)...(estimates.max() ?? 0)
  }

  /// Lets a team play for some seconds or moves, and returns the seconds that it took.
  private static func play(
    _ team: SelfPlayTeam, seconds: Double, moves: Int = .max, before: Double = 0
  ) -> Double {
    let start = RunClock.now
    team.play(
      until: .max, deadline: start.advanced(by: .seconds(seconds)), moveLimit: moves,
      secondsBefore: before)
    return start.duration(to: RunClock.now).seconds
  }
}
