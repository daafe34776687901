import ArgumentParser
import Basics
import Benchmarks
import Console

/// The options that choose the length of measurements.
struct BenchLengthOptions: ParsableArguments {
  @Option(
    "seconds", "Length of a measurement, in seconds (default: 1).",
    read: number("Use a number of seconds above 0 and at most 1e6.") { $0 > 0 && $0 <= 1e6 })
  var seconds: Double?

  @Option(
    "n", "Length of a measurement in games, instead of --seconds.", read: count(in: 1...1_000_000))
  var games: Int?

  func validate() throws {
    if seconds != nil && games != nil {
      throw ValidationError("--seconds and --games exclude each other. Leave out one of them.")
    }
  }

  var amount: BenchmarkPlan.Amount { games.map { .episodes($0) } ?? .seconds(seconds ?? 1) }
}

/// The options that choose the number of measurements and their clock.
struct BenchPlanOptions: ParsableArguments {
  @Option("n", "Number of measurements per variant (default: 7).", read: count(in: 1...1_000_000))
  var repeats: Int = 7

  @Option(
    "n", "Number of warm-up measurements per variant, which do not count (default: 1).",
    read: count(in: 0...1_000_000))
  var warmUps: Int = 1

  @Option(
    help: ArgumentHelp(
      "Clock of the measurement: elapsed time, or CPU time per thread.",
      valueName: "clock"))
  var clock: Measurement.ClockKind = .wall

  @OptionGroup var output: OutputOptions

  var plan: BenchmarkPlan { BenchmarkPlan(repeats: repeats, warmUps: warmUps, clock: clock) }

  /// Measures variants in turn, and prints the results.
  func run(_ benchmark: String, _ variants: [Variant]) throws {
    var report = BenchmarkReport(benchmark, plan: plan)
    try report.measure(variants, plan: plan, progress: showProgress)
    try show(report)
  }

  /// Prints the results of a benchmark.
  func show(_ report: BenchmarkReport) throws {
    StandardError.shared.endProgress()
    try output.show(report, text: report.table)
  }

  /// Shows the number of finished measurements on a terminal.
  func showProgress(_ done: Int, _ total: Int) {
    StandardError.shared.showCount(done, of: total, "measurements")
  }
}

extension Measurement.ClockKind: ExpressibleByArgument {}
