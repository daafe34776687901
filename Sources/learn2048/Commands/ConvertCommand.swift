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

  func run() throws {
    guard !FileManager.default.fileExists(atPath: output) else {
      throw Failure(.cannotCreate, "\(output) exists; remove it, or choose another name")
    }
    let model = try Model.read(ModelLocator.find(input))
    switch URL(fileURLWithPath: output).pathExtension {
    case "w": try TDL2048File.write(model.network, to: output)
    case "safetensors": try WeightFile.write(model.network, metadata: model.metadata, to: output)
    default:
      throw Failure(.usage, "\(output): the name must end in .safetensors or .w")
    }
    StandardError.shared.line("wrote \(output)")
  }
}
