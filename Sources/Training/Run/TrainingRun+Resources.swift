import Basics
import Checkpoints
import Configuration
import NTupleNetwork
import TDLearning

extension TrainingRun {
  /// What the run takes of the machine, for people.
  public var resources: String {
    let memory = TrainingRun.memoryUse(network.shape, configuration)
    let disk = TrainingRun.diskUse(network.shape, configuration)
    return """
      \(network.shape.entryCount) weights take \(byteText(memory)) of memory; \
      checkpoints take up to \(byteText(disk.whileSaving)) of disk
      """
  }

  /// The memory of the weights, of what is kept for each, and of what workers learn from, in bytes.
  static func memoryUse(_ shape: NetworkShape, _ configuration: TrainingConfiguration) -> Int {
    let returns = configuration.returnEstimate
    let buffers: Int
    switch configuration.mode {
    case .asynchronous:
      buffers =
        configuration.threads
        * BatchLearner.byteCount(batchSize: configuration.batchSize, returns: returns)
    case .synchronous:
      let (lanes, moves) = (configuration.lanes, configuration.movesPerLane)
      let patterns = shape.patterns.count
      buffers =
        lanes * RoundLearner.byteCount(patterns: patterns, batchSize: moves, returns: returns)
        + configuration.threadsAtWork(patterns: patterns)
        * DeltaScratch.byteCount(lanes: lanes, batchSize: moves, returns: returns)
    }
    return shape.byteCount * (1 + numbersBesideWeights(configuration)) + buffers
  }

  /// How many numbers a run keeps for each weight besides it.
  private static func numbersBesideWeights(_ configuration: TrainingConfiguration) -> Int {
    Accumulators.count(for: configuration.methods)
      + (configuration.averagingEveryEpisodes > 0 ? 1 : 0)
  }

  static func diskUse(_ shape: NetworkShape, _ configuration: TrainingConfiguration) -> DiskUse {
    DiskUse(
      shape: shape, keep: configuration.checkpointKeep,
      accumulators: numbersBesideWeights(configuration))
  }

  /// Refuses a network that would not fit, before anything is allocated or written.
  ///
  /// - Throws: ``LocatedError`` with the numbers.
  static func requireResources(
    for shape: NetworkShape, _ configuration: TrainingConfiguration, at path: String
  ) throws {
    try Memory.require(memoryUse(shape, configuration), for: "the network", path: path)
    let needed = diskUse(shape, configuration)
    if let free = freeDiskSpace(at: path), free < needed.checkpoint + needed.state {
      throw LocatedError(
        .cannotCreate, path: path,
        "one checkpoint takes up to \(byteText(needed.checkpoint + needed.state)), and "
          + "\(byteText(free)) of the disk are free",
        remedy: "free some space, or choose another place with --run")
    }
  }
}
