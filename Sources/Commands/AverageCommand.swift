import ArgumentParser
import Basics
import Foundation
import Learning
import ModelFiles
import NTupleNetwork
import Play
import Training

struct AverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "average",
    abstract: "Average the weights of several networks.",
    discussion: """
      The networks must have the same patterns in the same order. They are usually checkpoints of one run, \
      such as RUN@800000 RUN@900000. Unless the run keeps a running average, their mean plays better than \
      each of them, since weights fluctuate while they learn.
      """)

  @Argument(
    help: "Two or more models: runs, checkpoints or weight files.", completion: .models)
  var models: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write this file, which ends in .safetensors.", valueName: "file"),
    completion: .file())
  var output: String

  @OptionGroup var color: ColorOptions

  func validate() throws {
    guard models.count >= 2 else {
      throw ValidationError("there is only one model. Name two or more models.")
    }
    guard URL(fileURLWithPath: output).pathExtension == "safetensors" else {
      throw ValidationError(
        "'\(output)' is not a possible output. The name must end in .safetensors.")
    }
  }

  func run() throws {
    try requireFree(output)
    var average: WeightAverage?
    var trainings: [ModelMetadata] = []
    var metadata = ModelMetadata(version: Version.current)
    for name in models {
      let (path, model) = try ModelLocator.reading(name) { ($0, try LoadedModel.read($0)) }
      let shape = model.network.shape
      if average == nil {
        try Memory.require(shape.byteCount, for: "the mean of the weights", path: path)
      }
      let mean = average ?? WeightAverage(shape)
      let first = mean.network.shape
      func require(_ isEqual: Bool, _ place: String, _ problem: String) throws {
        guard !isEqual else { return }
        throw LocatedError(
          .unsuitableData, path: path, place: place, problem,
          remedy: "average networks of one configuration")
      }
      try require(
        shape.patterns == first.patterns, "patterns",
        "they are not those of \(models[0]) in the same order")
      try require(
        shape == first, "network",
        "its board size, stages or downgraded tile are not those of \(models[0])")
      try require(
        trainings.allSatisfy { $0.fourProbability == model.metadata.fourProbability },
        "fourProbability", "it is not that of \(models[0])")
      mean.add(model.network)
      average = mean
      trainings.append(AverageCommand.comparable(model.metadata))
      metadata = model.metadata
    }
    let history = ModelMetadata.jointHistory(of: trainings)
    guard history.arePossible else {
      throw LocatedError(
        .unsuitableData, path: output, place: "history",
        "the training of these models adds up to an impossible number of episodes, moves or seconds",
        remedy: "average fewer models")
    }
    metadata = ModelMetadata(
      config: metadata.config, fourProbability: metadata.fourProbability,
      history: history, version: Version.current)
    try WeightFile.write(average!.network, metadata: metadata, to: output)
    StandardError.shared.line("wrote \(output)")
  }

  /// Returns metadata without the configuration keys that may change within a run, such as its length.
  private static func comparable(_ metadata: ModelMetadata) -> ModelMetadata {
    var reader = ConfigurationReader()
    reader.read(Data(metadata.config.utf8), name: "config")
    for key in ConfigurationKey.all where key.mayChangeOnResume {
      if let value = key.defaultValue { reader.set("\(key.path)=\(value.text)") }
    }
    var metadata = metadata
    if let configuration = try? reader.finished() { metadata.config = configuration.jsonText }
    return metadata
  }
}
