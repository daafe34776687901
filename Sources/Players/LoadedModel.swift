import Basics
import Configuration
import Foundation
import Game2048
import ModelFiles
import NTupleNetwork

/// A network from a file of any format, and where it comes from.
public struct LoadedModel {
  public let network: NTupleNetwork
  public let metadata: ModelMetadata

  package init(network: NTupleNetwork, metadata: ModelMetadata) {
    self.network = network
    self.metadata = metadata
  }

  /// Reads a weight file of any format.
  ///
  /// - Throws: `LocatedError`.
  public static func read(_ path: String) throws -> LoadedModel {
    let (network, metadata) = try ModelFormat.readNetwork(path)
    return LoadedModel(
      network: network, metadata: metadata ?? ModelMetadata(version: Version.current))
  }

  /// The rules of the game that the network was trained for; the standard ones if it does not say.
  public var rules: Rules {
    var reader = ConfigurationReader()
    reader.read(Data(metadata.config.utf8), name: "config")
    let fourProbability =
      (try? reader.finished().fourProbability) ?? Rules.standardFourProbability
    return Rules(size: network.shape.boardSize, fourProbability: fourProbability)
  }
}
