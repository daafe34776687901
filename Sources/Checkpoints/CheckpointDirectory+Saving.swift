import Basics
import Foundation
import ModelFiles
import NTupleNetwork

extension CheckpointDirectory {
  /// What a save gave.
  public struct Saved: Hashable, Sendable {
    public let checkpoint: Checkpoint
    /// The checksum of the weights.
    public let checksum: String
    /// The lengths of the weight file and the state file, holes included.
    public let byteCount: Int
    /// The names of the history files that were removed.
    public let pruned: [String]
    /// Why old files could not be removed, if so; the save itself is complete.
    public let pruningError: LocatedError?
  }

  /// A save whose files are written, and neither flushed nor in place.
  ///
  /// It needs the run's weights no more. Dropped without a commit, it leaves nothing behind.
  ///
  /// Thread safety: any one thread commits it, once.
  public struct Prepared: Sendable {
    fileprivate let directory: CheckpointDirectory
    fileprivate let checkpoint: Checkpoint
    fileprivate let weights: PreparedFile
    fileprivate let state: PreparedFile
    fileprivate let keep: Int
    fileprivate let bestMeanScore: Double?

    /// The episodes that the weights have seen.
    public var episodes: Int { checkpoint.episodes }

    /// Flushes weights and state to the disk and puts them in place, removes old weights, and records the
    /// best. Flushing takes most of a save's time.
    ///
    /// - Throws: ``LocatedError``; the state in place is then whole, the former one or this.
    public func commit() throws -> Saved {
      try weights.file.commit(as: checkpoint.name)
      try state.file.commit()
      let pruning = Result { try directory.prune(keep: keep) }
      if let bestMeanScore {
        try directory.recordBest(checkpoint, meanScore: bestMeanScore)
      }
      var pruningError: LocatedError?
      if case .failure(let error) = pruning { pruningError = error as? LocatedError }
      return Saved(
        checkpoint: checkpoint, checksum: weights.checksum,
        byteCount: weights.byteCount + state.byteCount,
        pruned: (try? pruning.get()) ?? [], pruningError: pruningError)
    }
  }

  /// Writes weights and state to temporaries, all but the last step of a save.
  ///
  /// - Parameters:
  ///   - metadata: its `episodes` name the file.
  ///   - keep: how many of the newest history files stay, at least 1.
  ///   - bestMeanScore: the mean score with which to record these weights as best, if they are.
  /// - Precondition: no worker runs, and no other save is between its preparation and its commit.
  /// - Throws: ``LocatedError``; nothing is left behind.
  public func prepareSave(
    _ network: NTupleNetwork, metadata: ModelMetadata, state: RunState, keep: Int,
    bestMeanScore: Double? = nil
  ) throws -> Prepared {
    let name = Checkpoint.name(episodes: metadata.episodes)
    let weights = try WeightFile.prepare(network, metadata: metadata, path: file(name))
    let checkpoint = try freeCheckpoint(episodes: metadata.episodes, checksum: weights.checksum)
    let stateFile = try StateFile.prepare(
      state, shape: network.shape, episodes: metadata.episodes, weightsFile: checkpoint.name,
      weightsChecksum: weights.checksum, path: statePath)
    return Prepared(
      directory: self, checkpoint: checkpoint, weights: weights, state: stateFile, keep: keep,
      bestMeanScore: bestMeanScore)
  }

  /// The checkpoint to save as: of these episodes, in the place of no file that other weights than
  /// these would make wrong, which are the state's and the best one.
  private func freeCheckpoint(episodes: Int, checksum: String) throws -> Checkpoint {
    var taken: Set<String> = []
    if let state = try? stateHeader(), state.weightsChecksum != checksum {
      taken.insert(state.weightsFile)
    }
    if let best = try? best(), best.checksum != checksum { taken.insert(best.file) }
    var version = 1
    while taken.contains(Checkpoint.name(episodes: episodes, version: version)) { version += 1 }
    let name = Checkpoint.name(episodes: episodes, version: version)
    return Checkpoint(path: file(name), episodes: episodes, version: version)
  }

  /// Removes all but the newest history files, the best one and the one of the state.
  ///
  /// - Parameter keep: how many of the newest stay, at least 1.
  /// - Returns: the names of the files removed.
  /// - Throws: ``LocatedError``; a damaged record of what is best removes nothing.
  @discardableResult
  public func prune(keep: Int) throws -> [String] {
    var kept: Set<String> = []
    if let best = try best() { kept.insert(best.file) }
    if let state = try stateHeader() { kept.insert(state.weightsFile) }
    let old = try checkpoints().dropLast(max(1, keep)).filter { !kept.contains($0.name) }
    for checkpoint in old where unsafe unlink(checkpoint.path) != 0 && errno != ENOENT {
      throw SystemError.last.writing(checkpoint.path, "remove the old checkpoint")
    }
    return old.map(\.name)
  }
}
