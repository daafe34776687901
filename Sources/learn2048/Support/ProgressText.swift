import Console
import Training

/// The progress of a run in one line.
enum ProgressText {
  static func of(_ progress: RunMonitor.Progress) -> String {
    let share = Double(progress.episodes) / Double(max(1, progress.totalEpisodes))
    var parts = [
      "\(NumberText.grouped(progress.episodes))/\(NumberText.grouped(progress.totalEpisodes))"
        + " episodes (\(NumberText.percent(share)))"
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

  static func evaluation(_ evaluation: TrainingReport.Evaluation, episodes: Int) -> String {
    """
    after \(NumberText.grouped(episodes)) episodes: greedy mean \
    \(NumberText.grouped(evaluation.meanScore)) \
    [\(NumberText.grouped(evaluation.ci95.low)), \(NumberText.grouped(evaluation.ci95.high))] \
    of \(evaluation.games) games
    """
  }
}
