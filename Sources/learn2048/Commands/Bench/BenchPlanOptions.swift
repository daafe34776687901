import ArgumentParser
import Benchmarks
import Console

/// How long and how often to measure.
struct BenchPlanOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: "Measurements of each variant that count (default: 7).",
    transform: positiveCountToAMillion)
  var repeats: Int = 7

  @Option(
    parsing: .unconditional,
    help: "Measurements of each variant before, which do not count (default: 1).",
    transform: countToAMillion)
  var warmUps: Int = 1

  @Option(parsing: .unconditional, help: "Seconds of one measurement.", transform: positiveSeconds)
  var seconds: Double?

  @Option(
    parsing: .unconditional, help: "Games of one measurement, in place of --seconds.",
    transform: positiveCountToAMillion)
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
      warmUps: warmUps, clock: clock)
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

/// Reads a number of seconds above 0, up to a million.
func positiveSeconds(_ text: String) throws -> Double {
  guard let value = Double(text), value > 0, value <= 1e6 else {
    throw ValidationError("it must be a number of seconds above 0, and at most 1e6")
  }
  return value
}
