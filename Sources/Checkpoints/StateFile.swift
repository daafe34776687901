import Basics
import ModelFiles
import NTupleNetwork

/// What a run needs, beside its weights, to continue as if it had never stopped.
public struct RunState: Sendable {
  /// Counters, schedule position and random states, as JSON text; nothing here reads it.
  public var text: String
  /// What the learning rule keeps for every weight, as `tc.error` and `tc.absolute`.
  public var accumulators: [TensorGroup]

  public init(text: String, accumulators: [TensorGroup] = []) {
    self.text = text
    self.accumulators = accumulators
  }

  /// The accumulator of this name.
  public func accumulator(_ name: String) -> SharedWeights? {
    accumulators.first { $0.name == name }?.values
  }
}

/// The file `state.safetensors` of a run: its state, and which weights it belongs to.
public enum StateFile {
  static let format = "learn2048-state"

  /// What a state file says about itself.
  public struct Header: Hashable, Sendable {
    public let path: String
    public let shape: NetworkShape
    public let episodes: Int
    /// The run state's JSON text.
    public let text: String
    /// The names of the accumulators, in the order of the file.
    public let accumulators: [String]
    /// The file name of the weights, in the same directory.
    public let weightsFile: String
    /// The checksum of these weights.
    public let weightsChecksum: String
    public let byteCount: Int
  }

  static func prepare(
    _ state: RunState, shape: NetworkShape, episodes: Int, weightsFile: String,
    weightsChecksum: String, path: String
  ) throws -> PreparedFile {
    var fields = try shape.encoded(format: format, for: path)
    fields[MetadataKey.episodes] = String(episodes)
    fields[MetadataKey.runState] = state.text
    fields[MetadataKey.accumulators] = try HeaderJSON.encode(
      state.accumulators.map(\.name), MetadataKey.accumulators, path: path)
    fields[MetadataKey.weightsFile] = weightsFile
    fields[MetadataKey.weightsChecksum] = weightsChecksum
    return try TensorGroup.prepare(state.accumulators, shape: shape, metadata: fields, path: path)
  }

  /// Reads what the file says about itself, and checks everything but the accumulators.
  ///
  /// - Throws: ``LocatedError``.
  /// - Complexity: O(header).
  public static func readHeader(_ path: String) throws -> Header {
    try header(of: SafetensorsFile(path: path))
  }

  static func read(_ path: String) throws -> (header: Header, state: RunState) {
    let file = try SafetensorsFile(path: path)
    let header = try header(of: file)
    let byteCount = header.accumulators.count * header.shape.byteCount
    try Memory.require(byteCount, for: "the accumulators", path: path)
    let groups = header.accumulators.map {
      TensorGroup($0, SharedWeights(count: header.shape.storageCount))
    }
    try TensorGroup.read(
      file, groups: header.accumulators, shape: header.shape, into: groups.map(\.values))
    return (header, RunState(text: header.text, accumulators: groups))
  }

  /// Checks the whole file, accumulators and checksum included, without keeping them.
  ///
  /// - Throws: ``LocatedError``.
  @discardableResult
  public static func verify(_ path: String) throws -> Header {
    let file = try SafetensorsFile(path: path)
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
