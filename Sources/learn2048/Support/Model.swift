import Foundation
import Game2048
import ModelFiles
import NTupleNetwork
import Training

/// A network from a file of any format, and where it comes from.
struct Model {
  let network: NTupleNetwork
  let metadata: ModelMetadata

  /// Reads a weight file of any format.
  ///
  /// - Throws: `ModelFileError`.
  static func read(_ path: String) throws -> Model {
    let (network, metadata) = try ModelFormat.readNetwork(path)
    return Model(
      network: network, metadata: metadata ?? ModelMetadata(version: Version.current))
  }

  /// The rules of the game that the network was trained for; the standard ones if it does not say.
  var rules: Rules {
    var reader = ConfigurationReader()
    reader.read(Data(metadata.config.utf8), name: "config")
    let fourProbability =
      (try? reader.finished().fourProbability) ?? Rules.standardFourProbability
    return Rules(size: network.shape.boardSize, fourProbability: fourProbability)
  }
}
