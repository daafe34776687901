import Basics
import ModelFiles
import NTupleNetwork

/// A shape of these patterns.
public func shape(_ patterns: String...) throws -> NetworkShape {
  NetworkShape(patterns: try patterns.map { try Pattern($0) })
}

/// A network whose weights are all different and not zero.
public func numberedNetwork(_ shape: NetworkShape, from first: Int = 1) -> NTupleNetwork {
  let network = NTupleNetwork(shape)
  for place in network.entryPlaces { network.weights[place] = Float(first + place) * 0.25 }
  return network
}

extension NTupleNetwork {
  /// The offsets of all weights, without the gaps between tables.
  public var entryPlaces: [Int] {
    shape.tables.flatMap { Array($0.offset..<($0.offset + $0.pattern.entryCount)) }
  }

  public var allWeights: [Float] { entryPlaces.map { weights[$0] } }
}

/// Whether two large collections are equal, without a list of the differences, which takes for ever.
public func identical<Value: Equatable>(_ a: Value, _ b: Value) -> Bool { a == b }

public let someMetadata = ModelMetadata(
  config: #"{"learning":{"rate":0.1},"name":"naïve \"4×6\"\n"}"#,
  history: [
    TrainingSegment(episodes: 100, moves: 20_000, seed: 7, wallSeconds: 1.5, version: "1.0"),
    TrainingSegment(episodes: 50, moves: 9_000, seed: .max, wallSeconds: 0.25, version: "1.1"),
  ], version: "1.1")

/// The error that `body` throws.
public func locatedError(_ body: () throws -> Void) -> LocatedError? {
  do {
    try body()
    return nil
  } catch {
    return error as? LocatedError
  }
}

/// Four bytes as a number, little-endian.
public func float(_ bytes: [UInt8], at offset: Int) -> Float {
  Float(
    bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) })
}

public func bytes(of value: Float) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
}
