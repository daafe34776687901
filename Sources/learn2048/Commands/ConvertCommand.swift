import ArgumentParser
import Console
import Foundation
import ModelFiles
import NTupleNetwork
import Training

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert between weight-file formats.",
    discussion: """
      The format follows the name: .safetensors is this program's, .w is TDL2048+'s. A .w file holds \
      the weights alone; where they come from is lost.
      """)

  @Argument(help: "A run, or a weight file of either format.")
  var input: String

  @Argument(help: "The file to write: NAME.safetensors or NAME.w.")
  var output: String

  @Flag(
    help: """
      Leave out patterns that lie within larger ones, and add their weights to those: the same values \
      from fewer look-ups. Fold what has finished learning.
      """)
  var fold = false

  func run() throws {
    guard !FileManager.default.fileExists(atPath: output) else {
      throw Failure(.cannotCreate, "\(output) exists; remove it, or choose another name")
    }
    let path = try ModelLocator.find(input)
    let model = try Model.read(path)
    var network = model.network
    if fold {
      guard network.shape.stages.count == 1 else {
        throw ModelFileError(
          .unsuitableData, path: path, place: "stages",
          "a weight that a stage has not learned has no value to add to",
          remedy: "convert it without --fold")
      }
      network = network.folded()
    }
    switch URL(fileURLWithPath: output).pathExtension {
    case "w": try TDL2048File.write(network, to: output)
    case "safetensors": try WeightFile.write(network, metadata: model.metadata, to: output)
    default:
      throw Failure(.usage, "\(output): the name must end in .safetensors or .w")
    }
    StandardError.shared.line("wrote \(output)")
  }
}
