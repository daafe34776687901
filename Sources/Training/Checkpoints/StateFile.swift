import Basics
import ModelFiles
import NTupleNetwork

/// The content of a run's state file: what the run needs besides its weights to continue as if it
/// had not stopped.
package struct SavedState: Sendable {
  /// The state of the run as JSON text, which this module does not read.
  package var text: String
  /// Numbers kept for every weight, such as `tc.error` and `tc.absolute`.
  package var accumulators: [TensorGroup]

  package init(text: String, accumulators: [TensorGroup] = []) {
    self.text = text
    self.accumulators = accumulators
  }

  /// Returns the accumulator of this name.
  package func accumulator(_ name: String) -> SharedWeights? {
    accumulators.first { $0.name == name }?.values
  }
}

/// The file `state.safetensors` of a run: its state, and the name and checksum of the weights that
/// it belongs to.
package enum StateFile {
  static let format = "learn2048-state"

  /// The metadata of a state file.
  package struct Header: Hashable, Sendable {
    package let path: String
    package let shape: NetworkShape
    package let episodes: Int
    /// The JSON text of the state.
    package let text: String
    /// The names of the accumulators, in the order of the file.
    package let accumulators: [String]
    /// The file name of the weights, in the same directory.
    package let weightsFile: String
    /// The checksum of these weights.
    package let weightsChecksum: String
    package let byteCount: Int
  }

  static func prepare(
    _ state: SavedState, shape: NetworkShape, episodes: Int, weightsFile: String,
    weightsChecksum: String, path: String
  ) throws -> PreparedFile {
    var fields = try shape.encoded(format: format, for: path)
    fields[MetadataKey.episodes] = String(episodes)
    fields[MetadataKey.runState] = state.text
    fields[MetadataKey.accumulators] = try state.accumulators.map(\.name)
      .metadataText(MetadataKey.accumulators, path: path)
    fields[MetadataKey.weightsFile] = weightsFile
    fields[MetadataKey.weightsChecksum] = weightsChecksum
    return try TensorGroup.prepare(
      state.accumulators, shape: shape, metadata: fields, path: path, limit: .stateHeader)
  }

  /// Reads the metadata and checks everything but the accumulators.
  ///
  /// - Throws: ``LocatedError``.
  /// - Complexity: O(header).
  package static func readHeader(_ path: String) throws -> Header {
    try header(of: SafetensorsFile(path: path, limit: .stateHeader))
  }

  static func read(_ path: String) throws -> SavedState {
    let file = try SafetensorsFile(path: path, limit: .stateHeader)
    let header = try header(of: file)
    let byteCount = header.accumulators.count * header.shape.byteCount
    try Memory.require(byteCount, for: "the accumulators", path: path)
    let groups = header.accumulators.map {
      TensorGroup($0, SharedWeights(count: header.shape.storageCount))
    }
    try TensorGroup.read(
      file, groups: header.accumulators, shape: header.shape, into: groups.map(\.values))
    return SavedState(text: header.text, accumulators: groups)
  }

  /// Checks the file to its last byte, without keeping the accumulators.
  ///
  /// - Throws: ``LocatedError``.
  @discardableResult
  package static func verify(_ path: String) throws -> Header {
    let file = try SafetensorsFile(path: path, limit: .stateHeader)
    let header = try header(of: file)
    try TensorGroup.read(file, groups: header.accumulators, shape: header.shape, into: nil)
    return header
  }

  private static func header(of file: SafetensorsFile) throws -> Header {
    let fields = try MetadataFields(
      file, format: format, remedy: "name the state file of a run, checkpoints/state.safetensors")
    let shape = try fields.shape()
    let accumulators: [String] = try fields.json(MetadataKey.accumulators)
    guard Set(accumulators).count == accumulators.count else {
      throw fields.damaged(MetadataKey.accumulators, "has a name twice")
    }
    try fields.checkTensors(file, groups: accumulators, shape: shape)
    return Header(
      path: file.path, shape: shape, episodes: try fields.count(MetadataKey.episodes),
      text: try fields.text(MetadataKey.runState), accumulators: accumulators,
      weightsFile: try fields.text(MetadataKey.weightsFile),
      weightsChecksum: try fields.text(MetadataKey.weightsChecksum), byteCount: file.byteCount)
  }
}
