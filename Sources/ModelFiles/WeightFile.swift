import Basics
import Game2048
import NTupleNetwork

/// A network in a safetensors file, with the origin of its weights as metadata.
///
/// ```swift
/// let written = try WeightFile.write(network, metadata: metadata, to: "4x6.safetensors")
/// let (network, metadata) = try WeightFile.read("4x6.safetensors")
/// ```
///
/// There is one `F32` tensor per pattern, named `pattern.CELLS`, of shape `[16] × cells`, row-major. Its
/// axes are the cells in listed order, and its indices are exponents. All metadata values are strings:
/// - `format`, `formatVersion`, `boardSize`, `episodes`, `moves`, `seed`, `version`;
/// - `patterns`, `config` and `history`, as JSON;
/// - `stages` (JSON), `downgrading` and `levelOffsets` (JSON), only for networks that have them;
/// - `fourProbability`, unless it is 0.1;
/// - `averagedEpisodes`, only for the running average of a run;
/// - `checksum`, the SHA-256 of all tensor bytes;
/// - `metadataChecksum`, the SHA-256 of every other key and value in the order of the keys, each followed
///   by a zero byte.
///
/// The two checksums together reveal every changed byte.
///
/// A file that another program wrote needs only `format` and `patterns`, and those of `boardSize`, `downgrading`,
/// `stages`, `levelOffsets` and `fourProbability` that are not their defaults. Without both checksums, its bytes are
/// not verified, and its origin is unknown. The order of its tensors does not matter.
///
/// The reading functions also accept a ``CompactFile``, which stores a network with less precision.
public enum WeightFile {
  package static let format = "learn2048-weights"

  /// The properties of a file that was written.
  public struct Written: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// `sha256:` and the SHA-256 of the tensors.
    public let checksum: String
    /// The length of the file in bytes, including holes.
    public let byteCount: Int
  }

  /// The description of a network at the start of its file.
  public struct Header: Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// The shape of the network.
    public let shape: NetworkShape
    /// The offsets of its values.
    public let levelOffsets: LevelOffsets
    /// The origin of the weights.
    public let metadata: ModelMetadata
    /// `sha256:` and the SHA-256 of the tensors; nil if another program wrote the file without it.
    public let checksum: String?
    /// The checksum of weights and level offsets; that of the weights alone without offsets.
    package let valueChecksum: String?
    /// The length of the file in bytes, including holes.
    public let byteCount: Int
    /// The encoding of the weights in a compact file; nil if the weights are stored with full precision.
    public let compact: CompactSummary?

    /// The rules of the game that the network was trained for.
    public var rules: Rules { metadata.rules(shape) }
  }

  /// Writes a network atomically and durably.
  ///
  /// Blocks of zeros become holes, so a network that has learned little takes little disk space.
  ///
  /// - Precondition: No other thread changes the network.
  /// - Throws: `LocatedError`; an existing file is then unchanged.
  /// - Complexity: O(entries), and 4 MiB of memory.
  @discardableResult
  public static func write(
    _ network: NTupleNetwork, metadata: ModelMetadata, to path: String
  ) throws -> Written {
    let prepared = try prepare(network, metadata: metadata, path: path)
    return Written(
      path: try prepared.file.commit(), checksum: prepared.checksum,
      byteCount: prepared.byteCount)
  }

  /// Writes a network to a temporary file, ready to be moved into place.
  package static func prepare(
    _ network: NTupleNetwork, metadata: ModelMetadata, path: String
  ) throws -> PreparedFile {
    let fields = try metadata.encoded(for: path)
      .merging(network.encoded(format: format, for: path)) { $1 }
    return try TensorGroup.prepare(
      [TensorGroup(TensorGroup.weights, network.weights)], shape: network.shape,
      metadata: fields, path: path)
  }

  /// Reads the description of the network, and validates everything except the weights.
  ///
  /// - Throws: `LocatedError` if the file cannot be read or is invalid.
  /// - Complexity: O(header).
  public static func readHeader(_ path: String) throws -> Header {
    try header(of: SafetensorsFile(path: path))
  }

  /// Reads a network.
  ///
  /// - Throws: `LocatedError` if the file is missing, damaged or of another format, if a weight is
  ///   outside of ±1e30, or if the network does not fit into memory.
  /// - Complexity: O(entries).
  public static func read(
    _ path: String
  ) throws -> (network: NTupleNetwork, metadata: ModelMetadata) {
    let file = try SafetensorsFile(path: path)
    let header = try header(of: file)
    return (try readNetwork(file, header), header.metadata)
  }

  /// Reads the network of an open file.
  static func readNetwork(_ file: SafetensorsFile, _ header: Header) throws -> NTupleNetwork {
    try Memory.require(header.shape.byteCount, for: "the network's weights", path: file.path)
    let network = NTupleNetwork(header.shape)
    network.levelOffsets = header.levelOffsets
    try readWeights(file, header, into: network.weights)
    return network
  }

  /// Validates all of the file, including the weights, without keeping them.
  ///
  /// - Throws: `LocatedError` if the file cannot be read or is invalid.
  /// - Complexity: O(entries), and 4 MiB of memory.
  @discardableResult
  public static func verify(_ path: String) throws -> Header {
    let file = try SafetensorsFile(path: path)
    let header = try header(of: file)
    try readWeights(file, header, into: nil)
    return header
  }

  static func readWeights(
    _ file: SafetensorsFile, _ header: Header, into weights: SharedWeights?
  ) throws {
    if let summary = header.compact {
      try CompactFile.readWeights(file, header, summary, into: weights)
    } else {
      try TensorGroup.read(
        file, groups: [TensorGroup.weights], shape: header.shape, into: weights.map { [$0] })
    }
  }

  static func header(of file: SafetensorsFile) throws -> Header {
    let isCompact = file.header.metadata[MetadataKey.format] == CompactFile.format
    let fields = try MetadataFields(
      file, format: isCompact ? CompactFile.format : format,
      remedy: "name a weight file, such as checkpoints/episodes-….safetensors")
    let shape = try fields.shape()
    let compact = isCompact ? try fields.compactSummary(file, shape: shape) : nil
    if !isCompact { try fields.checkTensors(file, groups: [TensorGroup.weights], shape: shape) }
    let checksum = fields.metadata[MetadataKey.checksum]
    let valueChecksum = checksum.map { checksum in
      fields.metadata[MetadataKey.levelOffsets].map {
        Checksum.of(
          [MetadataKey.checksum: checksum, MetadataKey.levelOffsets: $0], excluding: "")
      } ?? checksum
    }
    return Header(
      path: file.path, shape: shape, levelOffsets: try fields.levelOffsets(shape),
      metadata: try ModelMetadata(fields), checksum: checksum, valueChecksum: valueChecksum,
      byteCount: file.byteCount, compact: compact)
  }
}
