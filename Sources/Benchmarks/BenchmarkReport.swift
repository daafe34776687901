import Basics

/// The results of a benchmark. `bench --json` prints it as JSON.
package struct BenchmarkReport: Encodable, Sendable {
  /// A property of a variant.
  package struct Parameter: Sendable {
    package let name: String
    package let value: JSONValue

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, .string(value)) }
    init(_ name: String, _ value: Int) { (self.name, self.value) = (name, .integer(value)) }
  }

  /// The results of one variant.
  package struct Row: Sendable {
    /// The properties that distinguish the variant, in the order of the columns of a table.
    package let parameters: [Parameter]
    /// The rate of every repeat, in moves per second.
    package let samples: [Double]
    /// The mean score of the games of every repeat in points; empty if no games were played.
    package let meanScores: [Double]
    /// The CPU time per move in milliseconds, over all repeats; nil for players without a time budget.
    package let moveMilliseconds: MoveTimes?
    /// The moves of every repeat of a training, including its warm-up; empty if nothing was trained.
    package let movesPlayed: [Int]
    package let movesPerSecond: Summary
    /// The ratio of the rate to that of the first variant in the same repeat.
    package let ratio: Summary

    init(
      parameters: [Parameter], samples: [Double], ratios: [Double], meanScores: [Double],
      moveMilliseconds: MoveTimes?, movesPlayed: [Int]
    ) {
      self.parameters = parameters
      self.samples = samples
      self.meanScores = meanScores
      self.moveMilliseconds = moveMilliseconds
      self.movesPlayed = movesPlayed
      movesPerSecond = Summary(of: samples)
      ratio = Summary(of: ratios)
    }
  }

  /// The name of the benchmark.
  package let benchmark: String
  package let repeats: Int
  package let clock: Measurement.ClockKind
  package private(set) var rows: [Row]

  package init(_ benchmark: String, plan: BenchmarkPlan, rows: [Row] = []) {
    self.benchmark = benchmark
    repeats = plan.repeats
    clock = plan.clock
    self.rows = rows
  }

  /// Appends the results of a further benchmark with the same plan.
  package mutating func append(_ other: BenchmarkReport) {
    rows += other.rows
  }
}

extension BenchmarkReport.Row: Encodable {
  private enum Key: String, CodingKey {
    case parameters, samples, meanScores, movesPlayed, movesPerSecond, microsecondsPerMove, ratio
    case moveMilliseconds
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(
      JSONValue.object(Dictionary(uniqueKeysWithValues: parameters.map { ($0.name, $0.value) })),
      forKey: .parameters)
    try container.encode(samples, forKey: .samples)
    try container.encode(meanScores, forKey: .meanScores)
    try container.encode(movesPlayed, forKey: .movesPlayed)
    try container.encode(movesPerSecond, forKey: .movesPerSecond)
    try container.encode(microsecondsPerMove, forKey: .microsecondsPerMove)
    try container.encode(ratio, forKey: .ratio)
    try container.encodeIfPresent(moveMilliseconds, forKey: .moveMilliseconds)
  }

  /// The time per move in microseconds.
  package var microsecondsPerMove: Summary { Summary(of: samples.map { 1e6 / $0 }) }
}
