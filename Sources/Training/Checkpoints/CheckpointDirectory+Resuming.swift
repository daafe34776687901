import Basics
import Foundation
import ModelFiles
import NTupleNetwork

extension CheckpointDirectory {
  /// Everything that a run continues from.
  package struct Resumed: Sendable {
    package let network: NTupleNetwork
    package let metadata: ModelMetadata
    package let state: SavedState
    /// The weights' checkpoint.
    package let checkpoint: Checkpoint
  }

  /// Returns the metadata of the state file; nil if there is no such file.
  ///
  /// - Throws: ``LocatedError`` if it is damaged, or a broken link.
  package func stateHeader() throws -> StateFile.Header? {
    let manager = FileManager.default
    let isLink = (try? manager.destinationOfSymbolicLink(atPath: statePath)) != nil
    guard isLink || manager.fileExists(atPath: statePath) else { return nil }
    return try StateFile.readHeader(statePath)
  }

  /// Completes a save that ended between putting the weights and the state in place, if there is no
  /// other state.
  ///
  /// - Precondition: the caller holds the lock of the run.
  /// - Throws: ``LocatedError`` if the state cannot be put in place.
  package func completeInterruptedSave() throws {
    guard try stateHeader() == nil else { return }
    for temporary in Temporaries.paths(for: statePath) {
      guard let header = try? StateFile.verify(temporary), (try? weights(of: header)) != nil else {
        continue
      }
      return try AtomicFile.commit(leftover: temporary, at: statePath)
    }
  }

  /// Reads the state and the weights that it belongs to.
  ///
  /// - Throws: ``LocatedError`` if one of them is missing or damaged, if they do not belong
  ///   together, or if they do not fit into memory.
  package func resume() throws -> Resumed {
    guard let header = try stateHeader() else {
      throw LocatedError(
        .missingInput, path: statePath, "is missing",
        remedy: "start a new run, with --init if there are checkpoints")
    }
    let checkpoint = try weights(of: header)
    let byteCount = header.shape.byteCount * (1 + header.accumulators.count)
    try Memory.require(byteCount, for: "weights and accumulators", path: statePath)
    let (network, metadata) = try WeightFile.read(checkpoint.path)
    return Resumed(
      network: network, metadata: metadata, state: try StateFile.read(statePath),
      checkpoint: checkpoint)
  }

  /// Returns the checkpoint that a state belongs to, according to the metadata of both files.
  ///
  /// - Throws: ``LocatedError`` if it is missing, or a different one.
  ///
  /// - Parameter read: Reads the metadata of a weight file, unless that has been read already.
  func weights(
    of state: StateFile.Header,
    read: (String) throws -> WeightFile.Header = WeightFile.readHeader
  ) throws -> Checkpoint {
    // A name with a slash would lead out of the directory.
    guard let checkpoint = Checkpoint(name: state.weightsFile, in: path) else {
      throw LocatedError.damaged(
        statePath, "metadata key '\(MetadataKey.weightsFile)'",
        "is not the name of a checkpoint: '\(state.weightsFile)'")
    }
    let weights: WeightFile.Header
    do {
      weights = try read(checkpoint.path)
    } catch let error as LocatedError where error.kind == .missingInput {
      throw LocatedError(
        .missingInput, path: checkpoint.path, "\(error.problem), and \(statePath) belongs to it",
        remedy: "restore it, or start a new run with --init from another checkpoint")
    }
    try checkMatch(state, weights)
    return checkpoint
  }

  private func checkMatch(_ state: StateFile.Header, _ weights: WeightFile.Header) throws {
    let remedy = "restore the files of one save, or start a new run with --init"
    guard state.weightsChecksum == weights.checksum else {
      throw LocatedError.damaged(
        statePath, "metadata key '\(MetadataKey.weightsChecksum)'",
        "the state belongs to weights \(state.weightsChecksum.prefix(15))…, and "
          + "\(state.weightsFile) holds \((weights.checksum ?? "none").prefix(15))…", remedy: remedy
      )
    }
    guard state.shape == weights.shape, state.episodes == weights.metadata.episodes else {
      throw LocatedError.damaged(
        statePath, nil, "the shape or episode count differs from that of \(state.weightsFile)",
        remedy: remedy)
    }
  }
}

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
        return try verifyOnce(hasState: state != nil)
      } catch {
        // A run in training may have replaced the state and removed an old checkpoint meanwhile.
        if try stateHeader() == state { throw error }
      }
    }
  }

  private func verifyOnce(hasState: Bool) throws -> Contents {
    let best = try best()
    let bestPath = try best.map { _ in try checkpoint(.best).path }
    let state = try hasState ? StateFile.verify(statePath) : nil
    let headers = try checkpoints().map { try WeightFile.verify($0.path) }
    func known(_ path: String) -> WeightFile.Header? { headers.first { $0.path == path } }
    if let state {
      _ = try weights(of: state) { try known($0) ?? WeightFile.readHeader($0) }
    }
    if let best, let bestPath, known(bestPath)?.checksum != best.checksum {
      throw LocatedError.damaged(
        self.bestPath, "checksum", "\(best.file) is not the file that was recorded as best",
        remedy: "delete best.json, or restore the file")
    }
    return Contents(state: state, weights: headers, best: best)
  }
}
