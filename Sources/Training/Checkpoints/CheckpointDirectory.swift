import Basics
import Foundation
import ModelFiles
import NTupleNetwork

/// The directory `RUN/checkpoints/`: checkpoints, the state to resume, and the record of the best.
///
/// - `episodes-000100000.safetensors`: the weights after as many episodes, see `WeightFile`.
/// - `state.safetensors`: the state of the run, see `StateFile`.
/// - `best.json`: see ``BestCheckpoint``.
///
/// A save writes weights and state to temporary files, commits the weights, then the state, and
/// then removes old checkpoints. Whenever the process is killed, the state in place belongs to
/// weights in place.
///
/// Thread safety: the holder of the run's `DirectoryLock` saves, once at a time; anyone may read.
public struct CheckpointDirectory: Hashable, Sendable {
  /// The directory itself.
  public let path: String

  public init(path: String) {
    self.path = path
  }

  package var statePath: String { file("state.safetensors") }
  package var bestPath: String { file("best.json") }

  func file(_ name: String) -> String {
    (path as NSString).appendingPathComponent(name)
  }

  /// Creates the directory if necessary, removes the remains of an interrupted save, and checks that files
  /// can be created in it.
  ///
  /// - Throws: `LocatedError`.
  package func prepare() throws {
    try createDirectory(at: path)
    Temporaries.removeStale(in: path)
    // A temporary file, which goes with its object. The first save would notice only after minutes.
    _ = try AtomicFile(path: statePath)
  }

  // MARK: Checkpoints

  /// Returns the checkpoints, fewest episodes first.
  ///
  /// - Throws: `LocatedError` if the directory cannot be read.
  public func checkpoints() throws -> [Checkpoint] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      guard FileManager.default.fileExists(atPath: path) else {
        throw LocatedError(
          .missingInput, path: parentDirectory(of: path),
          "is not a run, because it has no checkpoints/",
          remedy: "name the directory of a run, or a weight file")
      }
      throw LocatedError(
        .missingInput, path: path, "cannot be read: \(error.localizedDescription)",
        remedy: "check its permissions")
    }
    return names.compactMap { Checkpoint(name: $0, in: path) }.sorted()
  }

  /// Returns the checkpoint of this name.
  ///
  /// - Throws: `LocatedError` if there is none.
  public func checkpoint(_ name: CheckpointName) throws -> Checkpoint {
    let all = try checkpoints()
    guard let newest = all.last else {
      throw LocatedError(
        .missingInput, path: path, "has no checkpoints yet",
        remedy: "train until the first one is saved")
    }
    switch name {
    case .latest:
      return try latest(of: all) ?? newest
    case .best:
      guard let best = try best() else { return try latest(of: all) ?? newest }
      guard let checkpoint = all.first(where: { $0.name == best.file }) else {
        throw LocatedError.damaged(
          bestPath, "file", "\(best.file) is recorded as best, but missing",
          remedy: "restore it, delete best.json, or name a checkpoint by its episodes")
      }
      return checkpoint
    case .episodes(let episodes):
      guard let checkpoint = all.last(where: { $0.episodes == episodes }) else {
        let known = all.suffix(8).map { String($0.episodes) }.joined(separator: ", ")
        throw LocatedError(
          .missingInput, path: path,
          "has no checkpoint after \(NumberText.count(episodes, "episode"))",
          remedy: "choose one of \(all.count > 8 ? "the last " : "")\(known)")
      }
      return checkpoint
    }
  }

  private func latest(of checkpoints: [Checkpoint]) throws -> Checkpoint? {
    guard let state = try stateHeader() else { return nil }
    return checkpoints.first { $0.name == state.weightsFile }
  }

  // MARK: The best

  /// Returns the record of the best checkpoint; nil if there is none.
  ///
  /// - Throws: `LocatedError` if the record is damaged.
  public func best() throws -> BestCheckpoint? {
    guard FileManager.default.fileExists(atPath: bestPath) else { return nil }
    let bytes = try InputFile.contents(of: bestPath, limit: .best)
    guard let best = try? JSONDecoder().decode(BestCheckpoint.self, from: Data(bytes)),
      !best.checksum.isEmpty
    else {
      throw LocatedError.damaged(
        bestPath, nil, "is not the record of a checkpoint",
        remedy: "delete it; the next evaluation writes another")
    }
    return best
  }

  /// Returns the best checkpoint of a saved state, with its checksum; nil if its weights are not in place.
  func inPlace(_ best: BestCheckpoint) -> BestCheckpoint? {
    var best = best
    if best.checksum.isEmpty, let recorded = try? self.best(),
      (recorded.episodes, recorded.meanScore) == (best.episodes, best.meanScore)
    {
      best = recorded
    }
    guard let checkpoint = Checkpoint(name: best.file, in: path),
      let header = try? WeightFile.readHeader(checkpoint.path),
      header.metadata.episodes == best.episodes, let checksum = header.checksum,
      best.checksum.isEmpty || best.checksum == checksum
    else { return nil }
    return BestCheckpoint(
      file: best.file, checksum: checksum, episodes: best.episodes,
      meanScore: best.meanScore)
  }

  /// Writes the record of the best.
  func writeBest(_ best: BestCheckpoint) throws {
    let text = try best.metadataText("best", path: bestPath)
    try writeAtomically((text + "\n").utf8, to: bestPath)
  }
}
