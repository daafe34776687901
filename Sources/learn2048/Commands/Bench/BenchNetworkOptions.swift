import ArgumentParser
import Basics
import Benchmarks
import Configuration
import Console
import NTupleNetwork
import Players

/// The options that choose the networks to measure.
struct BenchNetworkOptions: ParsableArguments {
  /// The default number of training moves, after which games use the caches like those of a long run.
  static let trainMoves = 25_000_000

  @Option(
    "patterns",
    repeatable: """
      Patterns of a network to train: 4x6, 8x6, or cells such as 012345,456789. Repeatable (default: 4x6).
      """)
  var patterns: [String]

  @Option("model", repeatable: "A trained model to measure instead. Repeatable.")
  var model: [String]

  @Option(
    "n", "Number of moves to train a network for before measuring it (default: 25e6).",
    read: count)
  var trainMoves: Int = BenchNetworkOptions.trainMoves

  func validate() throws {
    if !patterns.isEmpty && !model.isEmpty {
      throw ValidationError("--patterns and --model exclude each other. Leave out one of them.")
    }
  }

  /// Throws if several networks are given.
  func requireOne(_ what: String) throws {
    if patterns.count + model.count > 1 {
      throw ValidationError("\(what) from one network. Name one with --patterns or --model.")
    }
  }

  /// Returns the networks, trained if they are given by their patterns.
  func networks() throws -> [TrainedNetwork] {
    if !model.isEmpty {
      return try model.map { name in
        let model = try LoadedModel.read(ModelLocator.find(name))
        return try TrainedNetwork(name: name, network: model.network, rules: model.rules)
      }
    }
    // All patterns are read before the first network is trained, which takes a while.
    let texts = patterns.isEmpty ? ["4x6"] : patterns
    let configurations = try texts.map(BenchNetworkOptions.configuration)
    let bytes = try configurations.map { try TrainedNetwork.byteCount($0.networkShape()) }
    if bytes.count > 1 {
      try Memory.require(
        bytes.reduce(0, +), for: "two copies of all networks, with accumulators,",
        path: texts.joined(separator: " and "), remedy: "measure fewer at a time")
    }
    return try zip(texts, configurations).map { text, configuration in
      try BenchNetworkOptions.train(configuration, name: text, moves: trainMoves)
    }
  }

  /// Returns the configuration of a network.
  ///
  /// - Parameter text: the name of a pattern set, or cell strings separated by commas.
  static func configuration(_ text: String) throws -> TrainingConfiguration {
    var reader = ConfigurationReader()
    let cells = text.split(separator: ",", omittingEmptySubsequences: false)
    reader.set(
      "network.patterns",
      to: NamedPatternSet.all[text] != nil
        ? .string(text) : .array(cells.map { .string(String($0)) }),
      option: "--patterns")
    return try reader.finished()
  }

  /// Trains a network to measure, and reports it on standard error.
  ///
  /// - Throws: `LocatedError` if it does not fit into memory.
  static func train(
    _ configuration: TrainingConfiguration, name: String, moves: Int
  ) throws -> TrainedNetwork {
    let shape = try configuration.networkShape()
    StandardError.shared.line(
      "training \(name) for \(NumberText.count(moves, "move")), TC(λ 0.5), one thread; its weights "
        + "take \(byteText(shape.byteCount)), its accumulators twice that, and a copy as much")
    return try TrainedNetwork(name: name, training: shape, moves: moves)
  }
}
