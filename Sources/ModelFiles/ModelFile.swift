import Basics
import Game2048
import NTupleNetwork

/// A weight file of any format, opened once: its header, its checksum and its network belong together even if
/// another file takes its name meanwhile.
public struct ModelFile: Sendable {
  package enum Content {
    case safetensors(SafetensorsFile, WeightFile.Header)
    case tdl2048(InputFile, TDL2048File.Header, offsets: [Int])
  }

  /// The path of the file.
  public let path: String
  package let content: Content

  /// Opens a file, and validates everything except the weights.
  ///
  /// - Throws: `LocatedError` if the file cannot be read, has another format or is invalid.
  public init(_ path: String) throws {
    self.path = path
    let file = try InputFile(path: path)
    switch try ModelFormat.detect(file) {
    case .safetensors:
      let file = try SafetensorsFile(file)
      content = .safetensors(file, try WeightFile.header(of: file))
    case .tdl2048:
      let (header, offsets) = try TDL2048File.header(of: file)
      content = .tdl2048(file, header, offsets: offsets)
    }
  }

  /// Reads the network, to be played or to learn.
  ///
  /// - Throws: `LocatedError` if a weight is damaged, or if the network does not fit into memory.
  /// - Complexity: O(entries).
  public func load() throws -> LoadedModel {
    let model = try loadForPlay()
    if model.network is FrozenNetwork {
      try Memory.require(model.network.shape.byteCount, for: "the network's weights", path: path)
    }
    return LoadedModel(network: model.network.thawed(), metadata: model.metadata)
  }

  /// Reads the network for play: frozen if it is compact, unless it has several stages or codes of 16 bits.
  ///
  /// - Throws: As ``load()``.
  /// - Complexity: O(entries).
  public func loadForPlay() throws -> PlayModel {
    switch content {
    case .safetensors(let file, let header):
      if let summary = header.compact, summary.canBeFrozen(header.shape) {
        PlayModel(
          network: try CompactFile.readFrozen(file, header, summary), metadata: header.metadata)
      } else {
        PlayModel(network: try WeightFile.readNetwork(file, header), metadata: header.metadata)
      }
    case .tdl2048(let file, let header, let offsets):
      PlayModel(
        network: try TDL2048File.readNetwork(file, header.shape, offsets: offsets),
        metadata: ModelMetadata())
    }
  }

  /// Validates all of the file, including the weights.
  ///
  /// - Throws: `LocatedError` if it is invalid, or if a network in the format of TDL2048+ does not fit into memory.
  /// - Complexity: O(entries).
  package func verify() throws {
    switch content {
    case .safetensors(let file, let header): try WeightFile.readWeights(file, header, into: nil)
    case .tdl2048: _ = try load()
    }
  }

  /// The checksum of the weights that the file states; nil for formats without one.
  public var statedChecksum: String? {
    if case .safetensors(_, let header) = content { header.checksum } else { nil }
  }

  /// Returns the checksum of all that decides values: weights and level offsets, or the whole file if it states
  /// none.
  ///
  /// - Throws: `LocatedError` if the file cannot be read.
  /// - Complexity: O(1) if the file states it, otherwise O(entries).
  package func checksum() throws -> String {
    switch content {
    case .safetensors(let file, let header): try header.valueChecksum ?? Checksum.of(file.file)
    case .tdl2048(let file, _, _): try Checksum.of(file)
    }
  }

  /// Whether the file has tables besides the weights, which are not read.
  public var hasFurtherTables: Bool {
    if case .tdl2048(_, let header, _) = content { header.hasFurtherTables } else { false }
  }
}

/// A network from a file of any format, with its metadata.
public struct LoadedModel {
  public package(set) var network: NTupleNetwork
  /// The metadata, of which a file of TDL2048+ has none.
  public let metadata: ModelMetadata

  /// Reads a weight file of any format.
  ///
  /// - Throws: `LocatedError`.
  public static func read(_ path: String) throws -> LoadedModel { try ModelFile(path).load() }

  /// The rules of the game that the network was trained for; the standard ones of an imported network.
  public var rules: Rules { metadata.rules(network.shape) }
}

/// A network for play from a file of any format, with its metadata.
public struct PlayModel {
  public let network: any PlayableNetwork
  public let metadata: ModelMetadata

  /// The rules of the game that the network was trained for; the standard ones of an imported network.
  public var rules: Rules { metadata.rules(network.shape) }
}

/// A file format of networks.
enum ModelFormat: Hashable, Sendable {
  /// The format of ``WeightFile`` and ``CompactFile``.
  case safetensors
  /// The format of ``TDL2048File``.
  case tdl2048

  /// Returns the format of a file, detected from its content rather than its name.
  ///
  /// - Throws: `LocatedError` if the file cannot be read or has another format.
  static func detect(_ file: InputFile) throws -> ModelFormat {
    let start = try file.bytes(at: 0, count: min(file.byteCount, 10))
    // The upper half of a safetensors header length is 0; one of these bytes is the serial of a TDL2048+ file.
    if start.count >= 9, start[8] == UInt8(ascii: "{"), start[4..<8].allSatisfy({ $0 == 0 }) {
      return .safetensors
    }
    // The serial of the first record, with or without a type letter at the start of the file.
    let shift = start.first == 0 ? 0 : 1
    if start.count >= 6 + shift, start[shift] == 0, start[5 + shift] == TDL2048File.serial {
      return .tdl2048
    }
    throw LocatedError.damaged(
      file.path, "byte 0", "this is neither a safetensors nor a TDL2048+ weight file",
      remedy: "check that the path names a weight file")
  }
}
