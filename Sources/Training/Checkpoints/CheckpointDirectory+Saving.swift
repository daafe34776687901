import Basics
import Dispatch
import Foundation
import ModelFiles
import NTupleNetwork
import Synchronization

extension CheckpointDirectory {
  /// The outcome of a save.
  package struct Saved: Hashable, Sendable {
    package let checkpoint: Checkpoint
    /// The record of the best checkpoint so far, even if it could not be written; nil if there is none.
    package let best: BestCheckpoint?
    /// The reason why old checkpoints could not be removed; the save itself is complete.
    package let pruningError: LocatedError?
    /// The reason why the record of the best could not be written; the save itself is complete.
    package let recordingError: LocatedError?
  }

  /// A save whose files are written, but neither flushed nor in place.
  ///
  /// It no longer needs the run's weights. Without a commit it leaves nothing behind.
  ///
  /// Thread safety: any one thread may commit it, once.
  package struct Prepared: Sendable {
    fileprivate let directory: CheckpointDirectory
    fileprivate let checkpoint: Checkpoint
    fileprivate let weights: PreparedFile
    fileprivate let state: PreparedFile
    fileprivate let keep: Int
    /// The best checkpoint once this save is in place, and the one until then.
    let best: BestCheckpoint?
    fileprivate let formerBest: BestCheckpoint?

    /// Flushes weights and state to the disk, which takes most of a save's time, puts them in
    /// place, records the best, and removes old checkpoints.
    ///
    /// - Throws: ``LocatedError``. The state in place, this or the former one, is then intact. If it is the
    ///   former one, the new weights are removed.
    package func commit() throws -> Saved {
      // A first save has no former state. If the power fails between the two commits, the next session finds
      // this one under its temporary name and puts it in place.
      try state.file.flush()
      try weights.file.commit(as: checkpoint.name)
      do {
        try state.file.commit()
      } catch {
        directory.removeUnused(checkpoint, formerBest)
        throw error
      }
      func record() -> LocatedError? {
        Prepared.failure {
          if let best, (try? directory.best()) != best { try directory.writeBest(best) }
        }
      }
      // The record comes first, so that a best that is superseded is removed at once.
      var recordingError = record()
      let pruningError = Prepared.failure { try directory.prune(keep: keep, best: best) }
      // Pruning may have made room for it.
      if recordingError != nil { recordingError = record() }
      return Saved(
        checkpoint: checkpoint, best: best, pruningError: pruningError,
        recordingError: recordingError)
    }

    private static func failure(_ step: () throws -> Void) -> LocatedError? {
      do {
        try step()
        return nil
      } catch {
        return error as? LocatedError
      }
    }
  }

  /// Writes weights and state to temporary files; a commit completes the save.
  ///
  /// - Parameters:
  ///   - metadata: its `episodes` name the file.
  ///   - state: returns the state to save, given the best checkpoint including this one.
  ///   - keep: the number of newest checkpoints to keep, at least 1.
  ///   - bestMeanScore: the mean score of these weights if they are the best so far.
  ///   - formerBest: the record of the best of earlier saves, whose weights stay, and which is written again if
  ///     `best.json` differs.
  /// - Precondition: no worker runs, and no other save is between its preparation and its commit.
  /// - Throws: ``LocatedError``; nothing is left behind.
  package func prepareSave(
    _ network: NTupleNetwork, metadata: ModelMetadata,
    state: (_ best: BestCheckpoint?) throws -> SavedState, keep: Int, bestMeanScore: Double? = nil,
    formerBest: BestCheckpoint? = nil
  ) throws -> Prepared {
    let name = Checkpoint.name(episodes: metadata.episodes)
    let weights = try WeightFile.prepare(network, metadata: metadata, path: file(name))
    let checkpoint = freeCheckpoint(
      episodes: metadata.episodes, checksum: weights.checksum, formerBest)
    let best =
      bestMeanScore.map {
        BestCheckpoint(
          file: checkpoint.name, checksum: weights.checksum, episodes: checkpoint.episodes,
          meanScore: $0)
      } ?? formerBest
    let stateFile = try StateFile.prepare(
      state(best), shape: network.shape, episodes: metadata.episodes, weightsFile: checkpoint.name,
      weightsChecksum: weights.checksum, path: statePath)
    return Prepared(
      directory: self, checkpoint: checkpoint, weights: weights, state: stateFile, keep: keep,
      best: best, formerBest: formerBest)
  }

  /// Returns the checkpoint to save as, which does not replace different weights that the state in
  /// place or a record of the best belongs to.
  private func freeCheckpoint(
    episodes: Int, checksum: String, _ formerBest: BestCheckpoint?
  ) -> Checkpoint {
    var taken: Set<String> = []
    if let state = try? stateHeader(), state.weightsChecksum != checksum {
      taken.insert(state.weightsFile)
    }
    for record in [try? best(), formerBest].compactMap(\.self) where record.checksum != checksum {
      taken.insert(record.file)
    }
    var version = 1
    while taken.contains(Checkpoint.name(episodes: episodes, version: version)) { version += 1 }
    let name = Checkpoint.name(episodes: episodes, version: version)
    return Checkpoint(path: file(name), episodes: episodes, version: version)
  }

  /// Removes weights that neither the state in place nor a record of the best belongs to.
  private func removeUnused(_ checkpoint: Checkpoint, _ formerBest: BestCheckpoint?) {
    // With a damaged record it is not known whether they are needed.
    guard formerBest?.file != checkpoint.name,
      let isUsed = try? stateHeader()?.weightsFile == checkpoint.name
        || best()?.file == checkpoint.name, !isUsed
    else { return }
    _ = FileOperations.current.remove(checkpoint.path)
  }

  /// Removes all checkpoints except the newest, the best, and that of the state.
  ///
  /// - Parameters:
  ///   - keep: the number of newest checkpoints to keep, at least 1.
  ///   - unrecorded: a best that the record in place may lack.
  /// - Throws: ``LocatedError``; nothing is removed if the record of the best is damaged.
  package func prune(keep: Int, best unrecorded: BestCheckpoint? = nil) throws {
    var kept: Set<String> = []
    if let best = try best() { kept.insert(best.file) }
    if let unrecorded { kept.insert(unrecorded.file) }
    if let state = try stateHeader() { kept.insert(state.weightsFile) }
    let old = try checkpoints().dropLast(max(1, keep)).filter { !kept.contains($0.name) }
    for checkpoint in old
    where FileOperations.current.remove(checkpoint.path) != 0 && errno != ENOENT {
      throw SystemError.last.writing(checkpoint.path, "remove the old checkpoint")
    }
  }
}

/// A save that is flushed and put in place while the workers continue to play.
///
/// Flushing waits for the disk, which may take much longer than writing into its cache, and needs
/// neither the weights nor a processor.
///
/// Thread safety: may be used from any thread.
package final class BackgroundSave: Sendable {
  private let result = Mutex<Result<CheckpointDirectory.Saved, any Error>?>(nil)
  private let end = DispatchGroup()

  /// Starts `commit`, with the file operations of this task.
  package init(_ commit: @escaping @Sendable () throws -> CheckpointDirectory.Saved) {
    let operations = FileOperations.current
    DispatchQueue.global().async(group: end) { [self] in
      let outcome = Result { try FileOperations.$current.withValue(operations, operation: commit) }
      result.withLock { $0 = outcome }
    }
  }

  /// Whether ``wait()`` returns at once.
  package var hasEnded: Bool { result.withLock { $0 != nil } }

  /// Waits for the end of the save and returns its outcome.
  ///
  /// - Throws: ``LocatedError`` if it could not be put in place.
  package func wait() throws -> CheckpointDirectory.Saved {
    end.wait()
    return try result.withLock { try $0!.get() }
  }
}
