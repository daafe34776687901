import Configuration
import Console
import Training

/// The texts about the progress of a run.
enum ProgressText {
  /// Returns the progress line.
  static func of(_ progress: RunMonitor.Standing) -> String {
    let total = progress.totalEpisodes > 0 ? "/" + NumberText.grouped(progress.totalEpisodes) : ""
    var parts = [
      "\(NumberText.grouped(progress.episodes))\(total) episodes (\(NumberText.percent(progress.share)))"
    ]
    if progress.movesPerSecond > 0 {
      parts += [
        "\(NumberText.rate(progress.movesPerSecond)) moves/s",
        "mean \(NumberText.grouped(progress.meanScore))",
        "2048 \(NumberText.percent(progress.reached2048))",
      ]
    }
    switch progress.phase {
    case .evaluating: parts.append("evaluating")
    case .checkpointing: parts.append("saving")
    case .training:
      if let seconds = progress.secondsLeft { parts.append("\(NumberText.duration(seconds)) left") }
    default: break
    }
    return parts.joined(separator: "  ")
  }

  /// Returns the length of a run, such as `100,000 episodes` or `10m00s of training`.
  static func length(_ length: RunLength) -> String {
    let limits = [
      length.episodes > 0 ? "\(NumberText.grouped(length.episodes)) episodes" : nil,
      length.moves > 0 ? "\(NumberText.grouped(length.moves)) moves" : nil,
      length.seconds > 0 ? "\(NumberText.duration(length.seconds)) of training" : nil,
    ]
    return limits.compactMap(\.self).joined(separator: " or ")
  }

  /// Returns the line about an evaluation.
  static func evaluation(_ evaluation: TrainingReport.Evaluation, episodes: Int) -> String {
    """
    after \(NumberText.grouped(episodes)) episodes: greedy mean score \
    \(NumberText.grouped(evaluation.meanScore)) \
    [\(NumberText.grouped(evaluation.ci95.lowerBound)), \(NumberText.grouped(evaluation.ci95.upperBound))] \
    over \(evaluation.games) games
    """
  }
}
