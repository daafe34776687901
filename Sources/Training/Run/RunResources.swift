import Basics
import Checkpoints
import Configuration
import NTupleNetwork
import TDLearning

/// The memory and disk space that a run takes.
struct RunResources: CustomStringConvertible {
  /// The memory of weights, accumulators and the learners' buffers, in bytes.
  let memory: Int
  let disk: DiskUse
  private let weightCount: Int

  /// - Parameter ranks: The number of processes of the job, each of which takes this much memory.
  init(_ shape: NetworkShape, _ configuration: TrainingConfiguration, ranks: Int = 1) {
    let ofRules = Accumulators.names(for: configuration.methods).count
    let accumulators = ofRules + (configuration.averagingEveryEpisodes > 0 ? 1 : 0)
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
