import Basics
import Game2048
import ModelFiles
import NTupleNetwork

/// A network from a file of any format, with its metadata.
public struct LoadedModel {
  public package(set) var network: NTupleNetwork
  public let metadata: ModelMetadata

  /// Reads a weight file of any format.
  ///
  /// - Throws: `LocatedError`.
  public static func read(_ path: String) throws -> LoadedModel {
    let (network, metadata) = try ModelFormat.readNetwork(path)
    return LoadedModel(
      network: network, metadata: metadata ?? ModelMetadata(version: Version.current))
  }

  /// The rules of the game that the network was trained for; the standard ones of an imported network.
  public var rules: Rules {
    Rules(size: network.shape.boardSize, fourProbability: metadata.fourProbability)
  }
}
