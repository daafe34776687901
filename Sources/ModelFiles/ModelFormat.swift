import Basics
import NTupleNetwork

/// A file format of networks.
public enum ModelFormat: Hashable, Sendable {
  /// The format of ``WeightFile`` and ``CompactFile``.
  case safetensors
  /// The format of ``TDL2048File``.
  case tdl2048

  /// Returns the format of a file, detected from its content rather than its name.
  ///
  /// - Throws: `LocatedError` if the file cannot be read or has another format.
  public static func detect(_ path: String) throws -> ModelFormat {
    let file = try InputFile(path: path)
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
      path, "byte 0", "this is neither a safetensors nor a TDL2048+ weight file",
      remedy: "check that the path names a weight file")
  }

  /// Reads a network from a file of any format.
  ///
  /// - Returns: The network and its metadata; the metadata are nil for formats without them.
  /// - Throws: `LocatedError` if the file cannot be read.
  public static func readNetwork(
    _ path: String
  ) throws -> (network: NTupleNetwork, metadata: ModelMetadata?) {
    switch try detect(path) {
    case .safetensors: try WeightFile.read(path)
    case .tdl2048: (try TDL2048File.read(path), nil)
    }
  }
}
