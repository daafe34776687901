import Configuration
import NTupleNetwork
import SelfPlay

/// What a run takes: its memory and disk space, and its time by the speed of its first seconds.
///
/// Nothing is written. The network that is trained for the estimate is thrown away.
public struct RunEstimate: Sendable {
  /// The memory that the run takes, in bytes.
  public let memory: Int
  /// The largest disk space that the checkpoints of the run take, which is during a save, in bytes.
  public let disk: Int
  /// The speed in the seconds after the warm-up, in moves/s.
  public let movesPerSecond: Double
  /// The time to the end of the run, in seconds of training.
  ///
  /// If episodes are limited, it depends on how long they grow, which a few seconds hardly show.
  public let seconds: Double

  /// Estimates a run by playing for some seconds.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the run.
  ///   - seconds: The time that is measured, in seconds. A warm-up of 200,000 moves, or of 10 s if they take longer,
  ///     comes before it.
  /// - Throws: `LocatedError` if the run does not fit into memory.
  public init(_ configuration: TrainingConfiguration, seconds: Double = 3) throws {
    let shape = try configuration.networkShape()
    let resources = RunResources(shape, configuration)
    try resources.requireMemory(for: "this configuration")
    memory = resources.memory
    disk = resources.disk.whileSaving
    let team = SelfPlayTeam(
      network: NTupleNetwork(shape, for: configuration), configuration: configuration)
    // The first moves mostly wait for the memory of the tables.
    let warmUp = RunEstimate.play(team, seconds: 10, moves: 200_000)
    team.ledger.beginReport()
    let before = team.movesMade
    let measured = RunEstimate.play(team, seconds: seconds, before: warmUp)
    movesPerSecond = Double(team.movesMade - before) / measured
    if team.ledger.snapshot.sinceReport.episodes == 0 {
      // The length of episodes is not known before one has ended.
      team.play(until: team.ledger.snapshot.episodes + 1)
    }
    let played = team.ledger.snapshot
    let ended = played.sinceReport
    self.seconds = configuration.length.secondsLeft(
      episodes: played.episodes, moves: played.moves, seconds: 0,
      recent: (ended.episodes, ended.moves), in: Double(ended.moves) / movesPerSecond)
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
