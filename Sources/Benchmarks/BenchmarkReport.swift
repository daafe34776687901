import Basics

/// The results of a benchmark. Encoded as JSON it is the document of `bench --json`.
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
    /// What distinguishes the variant, in the order of a table's columns.
    package let parameters: [Parameter]
    /// Moves a second, of every repeat.
    package let samples: [Double]
    /// The mean score of the games of every repeat in points; empty where no games were played.
    package let meanScores: [Double]
    /// The processor time of single moves in milliseconds, over all repeats, for players with a budget of
    /// time.
    package let moveMilliseconds: MoveTimes?
    /// All moves of every repeat of a training, those of its warm-up included; else empty.
    package let movesPlayed: [Int]
    package let movesPerSecond: Summary
    /// The rate over that of the first variant of the same repeat.
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

  /// Which benchmark it was.
  package let benchmark: String
  package let repeats: Int
  package let clock: Measurement.Clock
  package private(set) var rows: [Row]

  package init(_ benchmark: String, plan: BenchmarkPlan, rows: [Row] = []) {
    self.benchmark = benchmark
    repeats = plan.repeats
    clock = plan.clock
    self.rows = rows
  }

  /// Adds the results of a further measurement by the same plan.
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

  /// The same rates as the time of one move.
  package var microsecondsPerMove: Summary { Summary(of: samples.map { 1e6 / $0 }) }
}
