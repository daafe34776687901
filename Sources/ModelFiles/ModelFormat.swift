import Basics
import NTupleNetwork

/// The formats in which a network is stored.
public enum ModelFormat: Hashable, Sendable {
  /// See ``WeightFile``.
  case safetensors
  /// See ``TDL2048File``.
  case tdl2048

  /// The format of a file by its content, whatever it is called.
  ///
  /// - Throws: ``LocatedError`` if the file cannot be read, or is neither.
  public static func detect(_ path: String) throws -> ModelFormat {
    let file = try InputFile(path: path)
    let start = try file.bytes(at: 0, count: min(file.byteCount, 10))
    // The length of a header fits into 4 bytes; there a TDL2048+ file has its serial.
    if start.count >= 9, start[8] == UInt8(ascii: "{"), start[4..<8].allSatisfy({ $0 == 0 }) {
      return .safetensors
    }
    // The first record's serial, with or without a letter for the type before.
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
  /// - Returns: the network, and what the file says of it; nil of a format that says nothing.
  /// - Throws: ``LocatedError``.
  public static func readNetwork(
    _ path: String
  ) throws -> (network: NTupleNetwork, metadata: ModelMetadata?) {
    switch try detect(path) {
    case .safetensors: try WeightFile.read(path)
    case .tdl2048: (try TDL2048File.read(path), nil)
    }
  }
}
