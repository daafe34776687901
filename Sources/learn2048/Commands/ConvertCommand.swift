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
      The extension of OUTPUT selects the format: .safetensors is the format of this program, .w is that \
      of TDL2048+, and .compact is a small file for play, with quantised weights and without weights that \
      play does not need. A .w file holds weights only; the history of their training is lost.
      """)

  @Argument(help: "The model to convert: a run, a checkpoint or a weight file.")
  var input: String

  @Argument(help: "The file to write, which ends in .safetensors, .w or .compact.")
  var output: String

  @Flag(
    help: """
      Remove patterns that lie within larger ones and add their weights to those, for the same values \
      with fewer look-ups. Use it when training is finished.
      """)
  var fold = false

  @OptionGroup var compaction: CompactionOptions

  @OptionGroup var color: ColorOptions

  func run() throws {
    try requireFree(output)
    let format = URL(fileURLWithPath: output).pathExtension
    guard ["safetensors", "w", "compact"].contains(format) else {
      throw Failure(
        .usage,
        "'\(output)' is not a known format. The name must end in .safetensors, .w or .compact.")
    }
    if format != "compact" { try compaction.refuse(for: output) }
    let path = try ModelLocator.find(input)
    var model = try LoadedModel.read(path)
    if try ModelFormat.detect(path) == .tdl2048, try TDL2048File.readHeader(path).hasFurtherTables {
      StandardError.shared.line(
        "\(path): only the weights are converted, not the tables beside them.")
    }
    if fold {
      guard model.network.shape.stages.count == 1 else {
        throw LocatedError(
          .unsuitableData, path: path, place: "stages",
          "weights that a stage has not learned cannot be folded",
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
