import ArgumentParser
import Benchmarks
import Console
import ModelFiles
import NTupleNetwork
import Training

/// How long and how often to measure.
struct BenchPlanOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: "Measurements of each variant, after one that does not count.",
    transform: positiveCount)
  var repeats: Int = 7

  @Option(parsing: .unconditional, help: "Seconds of one measurement.", transform: positiveSeconds)
  var seconds: Double?

  @Option(
    parsing: .unconditional, help: "Games of one measurement, in place of --seconds.",
    transform: positiveCount)
  var games: Int?

  @Option(
    help: ArgumentHelp(
      "Divide by the time that passed, or by processor time per thread: wall or cpu.",
      valueName: "clock"))
  var clock: Measurement.Clock = .wall

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if seconds != nil && games != nil {
      throw ValidationError("--seconds and --games exclude each other.")
    }
  }

  var plan: BenchmarkPlan {
    BenchmarkPlan(
      amount: games.map { .episodes($0) } ?? .seconds(seconds ?? 1), repeats: repeats,
      clock: clock)
  }

  /// Prints the results of a benchmark.
  func show(_ report: BenchmarkReport) throws {
    StandardError.shared.endProgress()
    if output.json {
      try StandardOutput.json(report)
    } else {
      StandardOutput.line(BenchTable.text(report))
    }
  }

  /// Shows on a terminal how many measurements are done.
  func showProgress(_ done: Int, _ total: Int) {
    let console = StandardError.shared
    if console.isTerminal { console.showProgress("\(done)/\(total) measurements") }
  }
}

extension Measurement.Clock: ExpressibleByArgument {}

/// Reads a number of seconds above 0.
func positiveSeconds(_ text: String) throws -> Double {
  guard let value = Double(text), value.isFinite, value > 0 else {
    throw ValidationError("it must be a number of seconds above 0")
  }
  return value
}

/// Which networks to measure.
struct BenchNetworkOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Patterns to train a network of: 4x6, 8x6, or cell strings as 012345,456789; may be repeated.",
      valueName: "patterns"))
  var patterns: [String] = []

  @Option(
    parsing: .singleValue,
    help: "A trained model, in place of --patterns; may be repeated.")
  var model: [String] = []

  @Option(
    parsing: .unconditional, help: "Moves that a network is trained for before it is measured.",
    transform: count)
  var trainMoves: Int = 25_000_000

  func validate() throws {
    if !patterns.isEmpty && !model.isEmpty {
      throw ValidationError("--patterns and --model exclude each other.")
    }
  }

  /// The networks, each trained when it is asked for: 4x6 if nothing is said.
  func networks() throws -> [TrainedNetwork] {
    if !model.isEmpty { return try model.map(loaded) }
    return try (patterns.isEmpty ? ["4x6"] : patterns).map(trained)
  }

  private func loaded(_ name: String) throws -> TrainedNetwork {
    try TrainedNetwork(name: name, network: Model.read(ModelLocator.find(name)).network)
  }

  private func trained(_ text: String) throws -> TrainedNetwork {
    var reader = ConfigurationReader()
    reader.set("network.patterns", to: BenchNetworkOptions.patterns(text), option: "--patterns")
    let shape = try reader.finished().networkShape()
    let console = StandardError.shared
    console.line(
      "training \(text) for \(NumberText.grouped(trainMoves)) moves, TD(0), one thread; "
        + "weights and a copy take up to \(byteText(2 * shape.byteCount))")
    return try TrainedNetwork(name: text, training: shape, moves: trainMoves)
  }

  /// The value of `network.patterns`: the name of a set, or a list.
  static func patterns(_ text: String) -> JSONValue {
    if NamedPatternSet.all[text] != nil { return .string(text) }
    return .array(
      text.split(separator: ",", omittingEmptySubsequences: false).map { .string(String($0)) })
  }
}
