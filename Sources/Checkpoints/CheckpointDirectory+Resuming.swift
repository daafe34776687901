import Basics
import Foundation
import ModelFiles
import NTupleNetwork

extension CheckpointDirectory {
  /// All that is needed to continue a run.
  public struct Resumed: Sendable {
    public let network: NTupleNetwork
    public let metadata: ModelMetadata
    public let state: RunState
    /// The weights' checkpoint.
    public let checkpoint: Checkpoint
  }

  /// What the state file says about itself; nil if there is no state.
  ///
  /// - Throws: ``LocatedError`` if it is damaged, or a link to a file that is not there.
  public func stateHeader() throws -> StateFile.Header? {
    let manager = FileManager.default
    let isLink = (try? manager.destinationOfSymbolicLink(atPath: statePath)) != nil
    guard isLink || manager.fileExists(atPath: statePath) else { return nil }
    return try StateFile.readHeader(statePath)
  }

  /// Reads the state and the weights that it belongs to.
  ///
  /// - Throws: ``LocatedError``: one of them is missing or damaged, they do not belong together,
  ///   or do not fit into memory.
  public func resume() throws -> Resumed {
    guard let header = try stateHeader() else {
      throw LocatedError(
        .missingInput, path: statePath, "does not exist",
        remedy: "this run was never saved: start a new one, with --init from its weights if any")
    }
    let checkpoint = try weights(of: header)
    let byteCount = header.shape.byteCount * (1 + header.accumulators.count)
    try Memory.require(byteCount, for: "weights and accumulators", path: statePath)
    let (network, metadata) = try WeightFile.read(checkpoint.path)
    let (_, state) = try StateFile.read(statePath)
    return Resumed(network: network, metadata: metadata, state: state, checkpoint: checkpoint)
  }

  /// The weights that a state belongs to, by what both files say of themselves.
  ///
  /// - Throws: ``LocatedError``: they are missing, or others.
  func weights(of state: StateFile.Header) throws -> Checkpoint {
    // A name with a slash would lead out of the directory.
    guard let checkpoint = Checkpoint(name: state.weightsFile, in: path) else {
      throw LocatedError.damaged(
        statePath, "metadata key '\(MetadataKey.weightsFile)'",
        "names no checkpoint: '\(state.weightsFile)'")
    }
    let weights: WeightFile.Header
    do {
      weights = try WeightFile.readHeader(checkpoint.path)
    } catch let error as LocatedError where error.kind == .missingInput {
      throw LocatedError(
        .missingInput, path: checkpoint.path, "\(error.problem), and \(statePath) belongs to it",
        remedy: "put it back, or start a new run with --init from another checkpoint")
    }
    try checkMatch(state, weights)
    return checkpoint
  }

  private func checkMatch(_ state: StateFile.Header, _ weights: WeightFile.Header) throws {
    let remedy = "put back the files of one save, or start a new run with --init"
    guard state.weightsChecksum == weights.checksum else {
      throw LocatedError.damaged(
        statePath, "metadata key '\(MetadataKey.weightsChecksum)'",
        "the state belongs to weights \(state.weightsChecksum.prefix(15))…, and "
          + "\(state.weightsFile) holds \(weights.checksum.prefix(15))…", remedy: remedy)
    }
    guard state.shape == weights.shape, state.episodes == weights.metadata.episodes else {
      throw LocatedError.damaged(
        statePath, nil, "the state has another shape or episode count than \(state.weightsFile)",
        remedy: remedy)
    }
  }
}
