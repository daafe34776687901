import Basics
import Foundation
import ModelFiles

extension CheckpointDirectory {
  /// The saved files of a run.
  package struct Contents: Sendable {
    /// The state to resume from; nil if there is none.
    package let state: StateFile.Header?
    /// The weight files, fewest episodes first.
    package let weights: [WeightFile.Header]
    /// The record of the best; nil if there is none.
    package let best: BestCheckpoint?
  }

  /// Checks every file to its last byte, and that the files belong together.
  ///
  /// - Throws: ``LocatedError`` if a file is missing or damaged, or does not belong to the others.
  /// - Complexity: O(entries) per file, and 4 MiB of memory.
  package func verify() throws -> Contents {
    while true {
      let state = try stateHeader()
      do {
        return try verifyOnce()
      } catch {
        // A run in training may have replaced the state and removed an old checkpoint meanwhile.
        if try stateHeader() == state { throw error }
      }
    }
  }

  private func verifyOnce() throws -> Contents {
    let best = try checkedBest()
    let state = try stateHeader() == nil ? nil : StateFile.verify(statePath)
    if let state { _ = try weights(of: state) }
    let weights = try checkpoints().map { try WeightFile.verify($0.path) }
    return Contents(state: state, weights: weights, best: best)
  }

  /// Returns the record of the best, if there is one, after checking the weights that it names.
  private func checkedBest() throws -> BestCheckpoint? {
    guard let best = try best() else { return nil }
    let header = try WeightFile.readHeader(checkpoint(.best).path)
    guard header.checksum == best.checksum else {
      throw LocatedError.damaged(
        bestPath, "checksum", "\(best.file) is not the file that was recorded as best",
        remedy: "delete best.json, or restore the file")
    }
    return best
  }
}
