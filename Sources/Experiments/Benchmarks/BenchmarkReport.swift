import Basics

/// The results of a benchmark. `bench --json` prints it as JSON.
package struct BenchmarkReport: Encodable, Sendable {
  /// The results of one variant.
  package struct Row: Encodable, Sendable {
    /// The properties that distinguish the variant.
    package let parameters: [String: JSONValue]
    /// The rate of every repeat, in moves per second.
    package let samples: [Double]
    /// The mean score of the games of every repeat in points; empty if no games were played.
    package let meanScores: [Double]
    /// The moves of every repeat of a training, including its warm-up; empty if nothing was trained.
    package let movesPlayed: [Int]
    package let movesPerSecond: Summary
    /// The time per move; 0 for a repeat in which no move was made.
    package let microsecondsPerMove: Summary
    /// The ratio of the rate to that of the first variant in the same repeat; 0 if that made no move.
    package let ratio: Summary
    /// The CPU time per move in milliseconds, over all repeats; nil for players without a time budget.
    package let moveMilliseconds: MoveTimes?
  }

  /// The name of the benchmark.
  package let benchmark: String
  package let repeats: Int
  package let clock: Measurement.ClockKind
  package private(set) var rows: [Row] = []
  /// The names of the parameters, in the order of the columns of a table.
  package private(set) var columns: [String] = []

  private enum CodingKeys: String, CodingKey { case benchmark, repeats, clock, rows }

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

/// The time that the ranks of a job take to send each other messages of some sizes.
package struct ExchangeReport: Codable, Sendable {
  /// The number of ranks.
  package var ranks: Int
  package var rows: [Row] = []

  /// The exchange of messages of one size.
  package struct Row: Codable, Sendable {
    /// The bytes that each rank sends, and that every other rank receives from it.
    package var bytes: Int
    /// The time of an exchange on rank 0, in seconds.
    package var seconds: Summary
    /// The bytes that a rank receives from the others in a second, at the median time.
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
