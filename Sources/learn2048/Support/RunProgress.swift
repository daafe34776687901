import Arena
import Basics
import Configuration
import Console
import Training

extension RunMonitor.Standing {
  /// The progress line.
  var text: String {
    let games =
      movesPerSecond > 0
      ? [meanText, "2048 \(NumberText.percent(recent.reachRate(exponent: 11)))"] : []
    return ([doneText, speedText] + games + [phaseText]).compactMap(\.self).joined(separator: "  ")
  }

  /// Returns the panel of the run on a terminal, with the curve of its reports so far.
  func panel(_ reports: [TrainingReport]) -> TrainingPanel {
    var panel = TrainingPanel(progress: [doneText, speedText, phaseText].compactMap(\.self))
    if recent.games > 0 {
      let rates = recent.reached.compactMap { tile, rate in Int(tile).map { (tile: $0, rate: rate) }
      }
      panel.games =
        [meanText]
        + rates.sorted { $0.tile < $1.tile }.map { "\($0.tile) \(NumberText.percent($0.rate))" }
    }
    if let report = reports.last(where: { $0.evaluation != nil }),
      let evaluation = report.evaluation
    {
      panel.events.append(
        "evaluation \(evaluation.text) after \(NumberText.count(report.episodes, "episode"))")
    }
    if let checkpoint {
      let age = NumberText.duration(checkpoint.time.duration(to: .now).seconds)
      panel.events.append(
        "checkpoint after \(NumberText.count(checkpoint.episodes, "episode")), \(age) ago")
    }
    panel.curve = reports.filter { $0.games != 0 }
      .map { (episodes: $0.episodes, meanScore: $0.meanScore) }
    return panel
  }

  private var doneText: String {
    let total = totalEpisodes > 0 ? "/" + NumberText.grouped(totalEpisodes) : ""
    return "\(NumberText.grouped(episodes))\(total) episodes (\(NumberText.percent(share)))"
  }

  private var speedText: String? {
    movesPerSecond > 0 ? "\(NumberText.rate(movesPerSecond)) moves/s" : nil
  }

  private var meanText: String { "mean \(NumberText.grouped(recent.meanScore))" }

  /// What the run is doing, or the time left.
  private var phaseText: String? {
    switch phase {
    case .evaluating: "evaluating"
    case .checkpointing: "saving"
    case .training: secondsLeft.map { "\(NumberText.duration($0)) left" }
    default: nil
    }
  }
}

extension TrainingReport.Evaluation {
  /// The mean score with its interval.
  var text: String {
    let interval = ConfidenceInterval(low: ci95.lowerBound, high: ci95.upperBound)
    return "\(NumberText.grouped(meanScore)) \(interval.text)"
  }
}

extension RunLength {
  /// The length in words, such as `100,000 episodes` or `10m00s of training`.
  var text: String {
    let limits = [
      episodes > 0 ? NumberText.count(episodes, "episode") : nil,
      moves > 0 ? NumberText.count(moves, "move") : nil,
      seconds > 0 ? "\(NumberText.duration(seconds)) of training" : nil,
    ]
    return limits.compactMap(\.self).joined(separator: " or ")
  }
}
