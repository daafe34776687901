import ArgumentParser
import Basics
import Configuration
import Console
import Foundation
import ModelFiles
import NTupleNetwork
import Players
import TDLearning

struct AverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "average",
    abstract: "Write the mean of several networks' weights.",
    discussion: """
      The networks must have the same patterns in the same order. Checkpoints of one run are the usual \
      ones, as RUN@800000 RUN@900000: where the run keeps no running average, their mean plays better \
      than each, since weights scatter while they learn.
      """)

  @Argument(help: "Two or more runs or weight files.")
  var models: [String]

  @Option(name: .shortAndLong, help: "The file to write: NAME.safetensors.")
  var output: String

  @OptionGroup var color: ColorOptions

  func validate() throws {
    guard models.count >= 2 else { throw ValidationError("name two or more models") }
    guard URL(fileURLWithPath: output).pathExtension == "safetensors" else {
      throw ValidationError("\(output): the name must end in .safetensors")
    }
  }

  func run() throws {
    try requireFree(output)
    var average: WeightAverage?
    var trainings: [ModelMetadata] = []
    var metadata = ModelMetadata(version: Version.current)
    for name in models {
      let path = try ModelLocator.find(name)
      let model = try LoadedModel.read(path)
      let shape = model.network.shape
      if average == nil {
        try Memory.require(shape.byteCount, for: "the mean of the weights", path: path)
      }
      let mean = average ?? WeightAverage(shape)
      guard shape == mean.network.shape else {
        throw LocatedError(
          .unsuitableData, path: path, place: "patterns",
          "are not those of \(models[0]), in the same order",
          remedy: "average networks of one configuration")
      }
      mean.add(model.network)
      average = mean
      trainings.append(AverageCommand.comparable(model.metadata))
      metadata = model.metadata
    }
    metadata = ModelMetadata(
      config: metadata.config, fourProbability: metadata.fourProbability,
      history: ModelMetadata.jointHistory(of: trainings), version: Version.current)
    try WeightFile.write(average!.network, metadata: metadata, to: output)
    StandardError.shared.line("wrote \(output)")
  }

  /// Metadata with the same configuration for all of a run, whose length may change, for instance.
  private static func comparable(_ metadata: ModelMetadata) -> ModelMetadata {
    var reader = ConfigurationReader()
    reader.read(Data(metadata.config.utf8), name: "config")
    for key in ConfigurationKey.all where key.mayChangeOnResume {
      reader.set("\(key.path)=\(key.defaultText)")
    }
    var metadata = metadata
    if let configuration = try? reader.finished() { metadata.config = configuration.jsonText }
    return metadata
  }
}
