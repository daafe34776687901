import Basics
import Foundation

/// One line of `metrics.jsonl`: the progress of a run, and the outcome of the episodes since the last line.
///
/// `fields` documents the properties.
public struct TrainingReport: Decodable, Equatable, Sendable {
  public var episodes: Int
  public var moves: Int
  public var wallSeconds: Double
  /// Nil in reports of versions that did not count them.
  public var trainingSeconds: Double?
  public var movesPerSecond: Double
  public var games: Int?
  public var meanScore: Double
  public var maxScore: Int
  public var reached: [String: Double]
  public var learningRate: Double
  public var merging: Merging?
  public var evaluation: Evaluation?

  /// What merging the copies of the ranks took since the last report.
  public struct Merging: Decodable, Equatable, Sendable {
    public var bytesPerMerge: Double
    public var timeShare: Double

    /// Creates the numbers from readings of this many seconds of training; nil without merges.
    init?(_ readings: MergeReadings, seconds: Double) {
      guard readings.count > 0, seconds > 0 else { return nil }
      bytesPerMerge = Double(readings.bytes) / Double(readings.count)
      timeShare = readings.seconds / seconds
    }
  }

  /// The outcome of an evaluation: greedy games without learning, on fixed seeds.
  public struct Evaluation: Decodable, Equatable, Sendable {
    public var games: Int
    public var meanScore: Double
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

  /// The report as one line of JSON, including its newline.
  ///
  /// - Throws: The error of the encoder if a number is not finite.
  public func jsonLine() throws -> String {
    try JSONEncoder.text(json) + "\n"
  }
}

extension TrainingReport: Document {
  package static let fields: [Field<TrainingReport>] = [
    Field("episodes", \.episodes, unit: "episodes", "The number of episodes since the run began."),
    Field("moves", \.moves, unit: "moves", "The number of moves since the run began."),
    Field(
      "wallSeconds", \.wallSeconds, unit: "s",
      "The elapsed time of all sessions of the run, with everything they did."),
    Field(
      optional: "trainingSeconds", \.trainingSeconds, unit: "s",
      "The training time, without evaluating and saving."),
    Field(
      "movesPerSecond", \.movesPerSecond, unit: "moves/s",
      "The training speed since the last report."),
    Field(
      optional: "games", \.games, unit: "games",
      "The number of whole games among the episodes since the last report. It is missing if all episodes "
        + "were whole games."),
    Field(
      "meanScore", \.meanScore, unit: "points",
      "The mean score of these games, which were played while learning; 0 without games."),
    Field("maxScore", \.maxScore, unit: "points", "The highest score of these games."),
    Field(
      "reached", \.reached,
      "An object with the share of these games that reached a tile, by tile value, such as "
        + "`{\"2048\": 0.93}`."),
    Field(
      "learningRate", \.learningRate,
      "The total learning rate at this share of the run, which is that of the next episode."),
    Field(
      optional: "merging", \.merging,
      "What merging the copies of the ranks took since the last report. It is missing if there was no merge."
    ),
    Field(
      optional: "evaluation", \.evaluation,
      "The evaluation at this point: greedy play without learning on fixed seeds. It is missing if there "
        + "was none."),
  ]

  /// The numbers in TensorBoard event files, by tag.
  static let scalars: KeyValuePairs<String, @Sendable (TrainingReport) -> Double?> = [
    "train/wallSeconds": { $0.wallSeconds },
    "train/trainingSeconds": { $0.trainingSeconds ?? $0.wallSeconds },
    "train/movesPerSecond": { $0.movesPerSecond },
    "train/meanScore": { $0.games == 0 ? nil : $0.meanScore },
    "train/maxScore": { $0.games == 0 ? nil : Double($0.maxScore) },
    "train/learningRate": { $0.learningRate },
    "merging/bytesPerMerge": { $0.merging?.bytesPerMerge },
    "merging/timeShare": { $0.merging?.timeShare },
    "evaluation/meanScore": { $0.evaluation?.meanScore },
  ]

  /// Returns the tag of the number at a path of a report; nil if event files do not have it.
  static func tag(of path: String) -> String? {
    if path == "reached" { return "reached/TILE" }
    let tag = path.contains(".") ? path.replacing(".", with: "/") : "train/\(path)"
    return scalars.contains { $0.key == tag } ? tag : nil
  }

  /// The reference page of all fields, in Markdown.
  public static var referencePage: String {
    let rows = fields.flatMap(\.places).map { place in
      ["`\(place.path)`", place.unit, place.meaning, tag(of: place.path).map { "`\($0)`" } ?? ""]
    }
    return """
      # Metrics

      Every number that a training run reports. Generated by `learn2048 reference`; do not edit.

      A run appends one JSON object per report to `metrics.jsonl`, every `report.everyEpisodes` episodes, at
      every evaluation and at the end. `learn2048 train --json` prints the same lines. TensorBoard event
      files in the run directory have the same numbers under the tags of the last column, over episodes. They also
      have the configuration of every session: as the text `configuration`, and as hyperparameters with the start of
      the session.
      Readers should ignore keys that they do not know.

      \(markdownTable(["key", "unit", "meaning", "TensorBoard tag"], rows))

      """
  }
}

extension TrainingReport.Merging: Document {
  package static let fields: [Field<Self>] = [
    Field(
      "bytesPerMerge", \.bytesPerMerge, unit: "bytes",
      "The mean number of bytes that the ranks send each other in a merge."),
    Field(
      "timeShare", \.timeShare,
      "The share of the training time that rank 0 lost by merging: it waited for the others, or played more slowly."
    ),
  ]
}

extension TrainingReport.Evaluation: Document {
  package static let fields: [Field<Self>] = [
    Field("games", \.games, unit: "games", "The number of games of the evaluation."),
    Field("meanScore", \.meanScore, unit: "points", "Their mean score."),
    Field(
      "ci95", { [$0.ci95.lowerBound, $0.ci95.upperBound] }, unit: "points",
      "The 95 % bootstrap interval of the mean, as `[low, high]`.", schema: ValueSchema.pair),
  ]
}
