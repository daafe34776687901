import Basics
import Foundation

/// One line of `metrics.jsonl`: the progress of a run, and the outcome of the episodes since the
/// last line.
public struct TrainingReport: Codable, Equatable, Sendable {
  /// Episodes since the run began.
  public var episodes: Int
  /// Moves since the run began.
  public var moves: Int
  /// Seconds since the run began, over all its sessions.
  public var wallSeconds: Double
  /// Of them, the seconds of training, excluding evaluations and saves; nil in reports of versions
  /// that did not count them.
  public var trainingSeconds: Double?
  /// Moves per second of training since the last report.
  public var movesPerSecond: Double
  /// The number of complete games among the episodes since the last report; nil if all were.
  public var games: Int?
  /// The mean score of these games, in points, played while learning; 0 without games.
  public var meanScore: Double
  /// The highest score among them.
  public var maxScore: Int
  /// The share of these games that reached a tile, by tile value.
  public var reached: [String: Double]
  /// The total learning rate at the report's share of the run, which is that of the next episode.
  public var learningRate: Double
  /// What merging the copies of the ranks took since the last report; nil if there was nothing to merge.
  public var merging: Merging?
  /// The evaluation at this point; nil if there was none.
  public var evaluation: Evaluation?

  /// What merging took since the last report.
  public struct Merging: Codable, Equatable, Sendable {
    /// The mean number of bytes that the ranks send each other in a merge.
    public var bytesPerMerge: Double
    /// The share of the training time that rank 0 lost by merging: it waited for the others, or played more slowly.
    public var timeShare: Double

    /// Creates the numbers from readings of this many seconds of training; nil without merges.
    init?(_ readings: MergeReadings, seconds: Double) {
      guard readings.count > 0, seconds > 0 else { return nil }
      bytesPerMerge = Double(readings.bytes) / Double(readings.count)
      timeShare = readings.seconds / seconds
    }
  }

  /// The outcome of an evaluation: greedy games without learning, on fixed seeds.
  public struct Evaluation: Codable, Equatable, Sendable {
    /// The number of games.
    public var games: Int
    /// Their mean score, in points.
    public var meanScore: Double
    /// A 95 % confidence interval of the mean, as JSON `[low, high]`.
    public var ci95: ClosedRange<Double>

    public init(games: Int, meanScore: Double, ci95: ClosedRange<Double>) {
      self.games = games
      self.meanScore = meanScore
      self.ci95 = ci95
    }
  }

  /// Whether a run can have made this report. Whoever reads one computes with its numbers.
  var isValid: Bool {
    let counts = [episodes, moves, games ?? 0, maxScore, evaluation?.games ?? 0]
    var scores = [meanScore]
    if let evaluation {
      scores += [evaluation.meanScore, evaluation.ci95.lowerBound, evaluation.ci95.upperBound]
    }
    let others = [
      wallSeconds, trainingSeconds ?? 0, movesPerSecond, learningRate, merging?.bytesPerMerge ?? 0,
    ]
    return counts.allSatisfy { InputLimit.count.allows($0) }
      && scores.allSatisfy { (0...Double(InputLimit.count.most)).contains($0) }
      && reached.values.allSatisfy { (0...1).contains($0) }
      && others.allSatisfy { $0.isFinite && $0 >= 0 } && (merging?.timeShare ?? 0).isFinite
  }

  /// Returns the report as one line of JSON, including its newline.
  public func jsonLine() throws -> String {
    try JSONEncoder.text(self) + "\n"
  }
}
