import Basics
import ModelFiles
import NTupleNetwork

/// Returns a shape with these patterns.
public func shape(_ patterns: String...) throws -> NetworkShape {
  NetworkShape(patterns: try patterns.map { try Pattern($0) })
}

/// Returns a network whose weights are all different and not zero.
public func numberedNetwork(_ shape: NetworkShape, from first: Int = 1) -> NTupleNetwork {
  let network = NTupleNetwork(shape)
  for place in network.entryPlaces { network.weights[place] = Float(first + place) * 0.25 }
  return network
}

extension NTupleNetwork {
  /// Returns the offsets of all weights, without the gaps between tables.
  public var entryPlaces: [Int] {
    shape.tables.flatMap { Array($0.offset..<($0.offset + $0.pattern.entryCount)) }
  }

  public var allWeights: [Float] { entryPlaces.map { weights[$0] } }
}

/// Returns whether two large collections are equal, without the slow list of differences of `#expect`.
public func identical<Value: Equatable>(_ a: Value, _ b: Value) -> Bool { a == b }

public let someMetadata = ModelMetadata(
  config: #"{"learning":{"rate":0.1},"name":"naïve \"4×6\"\n"}"#,
  history: [
    TrainingSegment(episodes: 100, moves: 20_000, seed: 7, wallSeconds: 1.5, version: "1.0"),
    TrainingSegment(episodes: 50, moves: 9_000, seed: .max, wallSeconds: 0.25, version: "1.1"),
  ], version: "1.1")

/// Returns the error that `body` throws.
public func locatedError(_ body: () throws -> Void) -> LocatedError? {
  do {
    try body()
    return nil
  } catch {
    return error as? LocatedError
  }
}

/// Returns four little-endian bytes as a number.
public func float(_ bytes: [UInt8], at offset: Int) -> Float {
  Float(
    bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) })
}

public func bytes(of value: Float) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
}

extension SafetensorsFile {
  /// Returns the bytes of a tensor.
  package func bytes(of tensor: SafetensorsHeader.Tensor) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: tensor.byteRange.count)
    try bytes.withUnsafeMutableBytes { try read(into: $0, at: tensor.byteRange.lowerBound) }
    return bytes
  }
}

/// Changes the metadata of a safetensors file, and makes its checksums fit again.
public func rewriteMetadata(
  of path: String, _ change: (inout [String: String]) -> Void
) throws {
  let file = try SafetensorsFile(path: path)
  let bytes = try InputFile.contents(of: path, limit: .reports)
  var header = file.header
  change(&header.metadata)
  header.metadata["metadataChecksum"] = Checksum.of(
    header.metadata, excluding: "metadataChecksum")
  try writeAtomically(header.encoded() + bytes[file.dataStart...], to: path)
}
