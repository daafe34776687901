import Basics
import Foundation

/// The results of a benchmark, the document of `bench --json`.
package struct BenchmarkReport: Sendable {
  /// The results of one variant. ``fields`` documents the properties.
  package struct Row: Sendable {
    package let parameters: [String: JSONValue]
    /// The rate of every repeat, in moves per second.
    package let samples: [Double]
    package let meanScores: [Double]
    package let movesPlayed: [Int]
    package let movesPerSecond: Summary
    /// The time per move; 0 for a repeat in which no move was made.
    package let microsecondsPerMove: Summary
    /// The ratio of the rate to that of the first variant in the same repeat; 0 if that made no move.
    package let ratio: Summary
    /// The CPU time per move in milliseconds, over all repeats; nil for players without a time budget.
    package let moveMilliseconds: MoveTimes?
  }

  package let benchmark: String
  package let repeats: Int
  package let clock: Measurement.ClockKind
  package private(set) var rows: [Row] = []
  /// The names of the parameters, in the order of the columns of a table.
  package private(set) var columns: [String] = []

  /// Creates the report of a benchmark before its first measurement.
  package init(_ benchmark: String, plan: BenchmarkPlan) {
    self.benchmark = benchmark
    repeats = plan.repeats
    clock = plan.clock
  }

  /// Measures every variant once in each of the plan's rounds, and appends the results.
  ///
  /// Variants take turns, so that disturbances on the machine affect all of them alike.
  ///
  /// - Parameters:
  ///   - variants: The variants; the first one is the reference of all ratios.
  ///   - progress: Called after every measurement with the number done and the total.
  package mutating func measure(
    _ variants: [Variant], plan: BenchmarkPlan,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws {
    var measurements = [[Measurement]](repeating: [], count: variants.count)
    let rounds = plan.warmUps + plan.repeats
    for round in 0..<rounds {
      for (place, variant) in variants.enumerated() {
        let measurement = try variant.measure()
        if round >= plan.warmUps { measurements[place].append(measurement) }
        progress(round * variants.count + place + 1, rounds * variants.count)
      }
    }
    let rates = zip(variants, measurements).map { variant, samples in
      samples.map { $0.rate(by: plan.clock, threads: variant.threadsAtWork) }
    }
    columns = variants.first?.parameters.map(\.key) ?? columns
    for (place, variant) in variants.enumerated() {
      let (rates, reference, samples) = (rates[place], rates[0], measurements[place])
      rows.append(
        Row(
          parameters: Dictionary(uniqueKeysWithValues: variant.parameters.map { ($0, $1) }),
          samples: rates, meanScores: samples.compactMap(\.meanScore),
          movesPlayed: samples.compactMap(\.movesPlayed), movesPerSecond: Summary(of: rates),
          // JSON has no infinite numbers.
          microsecondsPerMove: Summary(of: rates.map { $0 > 0 ? 1e6 / $0 : 0 }),
          // Ratios are taken within each round, so that disturbances of a round cancel out.
          ratio: Summary(of: zip(rates, reference).map { $1 > 0 ? $0 / $1 : 0 }),
          moveMilliseconds: MoveTimes(
            of: samples.flatMap(\.moveMilliseconds), budget: variant.moveBudget)))
    }
  }
}

extension BenchmarkReport: Document {
  package static let fields: [Field<BenchmarkReport>] = [
    Field("benchmark", \.benchmark, "The name of the benchmark."),
    Field("repeats", \.repeats, "The number of measurements per variant."),
    Field("clock", \.clock.rawValue, "`wall` or `cpu`."),
    Field("rows", \.rows),
  ]
}

extension BenchmarkReport.Row: Document {
  package static let fields: [Field<BenchmarkReport.Row>] = [
    Field(
      "parameters", \.parameters, "An object with the properties of a variant, such as `threads`."),
    Field("samples", \.samples, unit: "moves/s", "The speed of each repeat."),
    Field(
      "meanScores", \.meanScores, unit: "points",
      "The mean score of the games of each repeat; empty without games."),
    Field(
      "movesPlayed", \.movesPlayed,
      "The moves of each repeat of training, with warm-ups; otherwise empty."),
    Field(
      "movesPerSecond", \.movesPerSecond, unit: "moves/s",
      "`median`, `min` and `max` of the samples.", isListed: false
    )
    .column("moves/s") { NumberText.rate($0.movesPerSecond.median) }
    .column("min-max") { $0.movesPerSecond.range(NumberText.rate) },
    Field(
      "microsecondsPerMove", \.microsecondsPerMove, unit: "µs", "The same as time per move.",
      isListed: false),
    Field(
      "ratio", \.ratio, "The same as ratio to the first variant of the repeat.", isListed: false
    )
    .column("ratio") { thousandths($0.ratio.median) }
    .column("min-max") { $0.ratio.range(thousandths) },
    Field(
      optional: "moveMilliseconds", \.moveMilliseconds,
      "`median`, `percentile99` and `max` of the CPU time of single moves in ms, and the share `withinBudget`, for "
        + "players with a time budget; otherwise missing.", isListed: false
    )
    .column("ms/move") { $0.moveMilliseconds.map { thousandths($0.median) } }
    .column("99% below") { $0.moveMilliseconds.map { thousandths($0.percentile99) } }
    .column("max") { $0.moveMilliseconds.map { thousandths($0.max) } }
    .column("in budget") { $0.moveMilliseconds.map { NumberText.percent($0.withinBudget) } },
  ]
}

/// Returns a number with three decimals.
private func thousandths(_ value: Double) -> String { String(format: "%.3f", value) }

/// The time that the ranks of a job take to send each other messages, the document of `bench ranks --json`.
package struct ExchangeReport: Sendable {
  package var ranks: Int
  package var rows: [Row] = []

  /// The exchange of messages of one size. ``fields`` documents the properties.
  package struct Row: Sendable {
    package var bytes: Int
    package var seconds: Summary
    package var bytesPerSecond: Double
  }

  /// The sizes of the messages, in bytes.
  package static let sizes = [8, 1 << 10, 1 << 16, 1 << 20, 1 << 24]

  /// Exchanges messages of each size. All ranks call it together.
  ///
  /// - Parameter repeats: The number of exchanges that are measured, after one that is not.
  package init(_ communicator: any Communicator, sizes: [Int] = sizes, repeats: Int) {
    ranks = communicator.size
    for size in sizes {
      let message = [UInt8](repeating: UInt8(truncatingIfNeeded: communicator.rank), count: size)
      let samples = (0...repeats).map { _ in
        // No rank waits for another one within the time that is measured.
        _ = communicator.allGather([])
        let began = SuspendingClock.now
        _ = communicator.allGather(message)
        return began.duration(to: .now).seconds
      }
      let seconds = Summary(of: Array(samples.dropFirst()))
      rows.append(
        Row(
          bytes: size, seconds: seconds,
          bytesPerSecond: Double(size * (ranks - 1)) / seconds.median))
    }
  }
}

extension ExchangeReport: Document {
  package static let fields: [Field<ExchangeReport>] = [
    Field("ranks", \.ranks, "The number of ranks."), Field("rows", \.rows),
  ]
}

extension ExchangeReport.Row: Document {
  package static let fields: [Field<ExchangeReport.Row>] = [
    Field(
      "bytes", \.bytes, unit: "bytes",
      "What each rank sends, and every other rank receives from it."
    ).column("bytes per rank") { "\($0.bytes)" },
    Field(
      "seconds", \.seconds, unit: "s",
      "`median`, `min` and `max` of the time of an exchange on rank 0.", isListed: false
    )
    .column("median ms") { thousandths(1e3 * $0.seconds.median) }
    .column("min-max") { $0.seconds.range { thousandths(1e3 * $0) } },
    Field(
      "bytesPerSecond", \.bytesPerSecond, unit: "bytes/s",
      "What a rank receives from the others, at the median time."
    )
    .column("MB/s received") { String(format: "%.1f", $0.bytesPerSecond / 1e6) },
  ]
}
