import ArgumentParser
import Basics
import Console
import Foundation
import ModelFiles
import NTupleNetwork
import Players

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert between weight-file formats.",
    discussion: """
      The format follows the name: .safetensors is this program's, .w is TDL2048+'s, and .compact is \
      for play: small, with quantised weights, and without those that play does not need. A .w file \
      holds the weights alone; where they come from is lost.
      """)

  @Argument(help: "A run, or a weight file of any format.")
  var input: String

  @Argument(help: "The file to write: NAME.safetensors, NAME.w or NAME.compact.")
  var output: String

  @Flag(
    help: """
      Leave out patterns that lie within larger ones, and add their weights to those: the same values \
      from fewer look-ups. Fold what has finished learning.
      """)
  var fold = false

  @OptionGroup var compaction: CompactionOptions

  @OptionGroup var color: ColorOptions

  func run() throws {
    try requireFree(output)
    let format = URL(fileURLWithPath: output).pathExtension
    guard ["safetensors", "w", "compact"].contains(format) else {
      throw Failure(.usage, "\(output): the name must end in .safetensors, .w or .compact")
    }
    if format != "compact" { try compaction.refuse(for: output) }
    let path = try ModelLocator.find(input)
    var model = try LoadedModel.read(path)
    if try ModelFormat.detect(path) == .tdl2048, try TDL2048File.readHeader(path).hasFurtherTables {
      StandardError.shared.line(
        "\(path): only the weights are taken over, not the tables beside them")
    }
    if fold {
      guard model.network.shape.stages.count == 1 else {
        throw LocatedError(
          .unsuitableData, path: path, place: "stages",
          "a weight that a stage has not learned has no value to add to",
          remedy: "convert it without --fold")
      }
      try Memory.require(model.network.shape.byteCount, for: "the folded network", path: path)
      model = LoadedModel(network: model.network.folded(), metadata: model.metadata)
    }
    switch format {
    case "w": try TDL2048File.write(model.network, to: output)
    case "compact": try compaction.write(model, readFrom: path, to: output)
    default: try WeightFile.write(model.network, metadata: model.metadata, to: output)
    }
    StandardError.shared.line("wrote \(output)")
  }
}
