import Basics
import Foundation
import ModelFiles

extension CheckpointDirectory {
  /// What a run has saved.
  public struct Contents: Sendable {
    /// The state to resume from; nil if there is none.
    public let state: StateFile.Header?
    /// The weight files, fewest episodes first.
    public let weights: [WeightFile.Header]
    /// Which of them is recorded as best; nil if none is.
    public let best: BestCheckpoint?
  }

  /// Checks every file to its last byte, and that they belong together.
  ///
  /// - Throws: ``LocatedError``: a file is missing or damaged, or does not belong to the others.
  /// - Complexity: O(entries) for each file, and 4 MiB of memory.
  public func verify() throws -> Contents {
    while true {
      let state = try stateHeader()
      do {
        return try verifyOnce()
      } catch {
        // A run that is in training may have put its next save in place, and removed an old one.
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

  /// The record of the best weights, if there is one and the weights are those.
  private func checkedBest() throws -> BestCheckpoint? {
    guard let best = try best() else { return nil }
    let header = try WeightFile.readHeader(checkpoint(.best).path)
    guard header.checksum == best.checksum else {
      throw LocatedError.damaged(
        bestPath, "checksum", "\(best.file) is not the file that was recorded as best",
        remedy: "delete best.json, or put the file back")
    }
    return best
  }
}
