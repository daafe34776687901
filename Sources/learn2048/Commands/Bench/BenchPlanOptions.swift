import ArgumentParser
import Benchmarks
import Console

/// The options that choose the length and number of measurements.
struct BenchPlanOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of measurements per variant (default: 7).", valueName: "n"),
    transform: positiveCountToAMillion)
  var repeats: Int = 7

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of measurements per variant before, which do not count (default: 1).", valueName: "n"),
    transform: countToAMillion)
  var warmUps: Int = 1

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Length of a measurement, in seconds (default: 1).", valueName: "seconds"),
    transform: positiveSeconds)
  var seconds: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Length of a measurement in games, instead of --seconds.", valueName: "n"),
    transform: positiveCountToAMillion)
  var games: Int?

  @Option(
    help: ArgumentHelp(
      "Clock of the measurement: elapsed time, or CPU time per thread.",
      valueName: "clock"))
  var clock: Measurement.ClockKind = .wall

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if seconds != nil && games != nil {
      throw ValidationError("--seconds and --games exclude each other. Leave out one of them.")
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

  /// Shows the number of finished measurements on a terminal.
  func showProgress(_ done: Int, _ total: Int) {
    let console = StandardError.shared
    if console.isTerminal { console.showProgress("\(done)/\(total) measurements") }
  }
}

extension Measurement.ClockKind: ExpressibleByArgument {}

/// Reads a number of seconds above 0 and up to a million.
func positiveSeconds(_ text: String) throws -> Double {
  guard let value = Double(text), value > 0, value <= 1e6 else {
    throw ValidationError("Use a number of seconds above 0 and at most 1e6.")
  }
  return value
}
