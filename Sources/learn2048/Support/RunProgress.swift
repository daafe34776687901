import Configuration
import Console
import Training

extension RunMonitor.Standing {
  /// The progress line.
  var text: String {
    let total = totalEpisodes > 0 ? "/" + NumberText.grouped(totalEpisodes) : ""
    var parts = ["\(NumberText.grouped(episodes))\(total) episodes (\(NumberText.percent(share)))"]
    if movesPerSecond > 0 {
      parts += [
        "\(NumberText.rate(movesPerSecond)) moves/s", "mean \(NumberText.grouped(meanScore))",
        "2048 \(NumberText.percent(reached2048))",
      ]
    }
    switch phase {
    case .evaluating: parts.append("evaluating")
    case .checkpointing: parts.append("saving")
    case .training:
      if let secondsLeft { parts.append("\(NumberText.duration(secondsLeft)) left") }
    default: break
    }
    return parts.joined(separator: "  ")
  }
}

extension RunLength {
  /// The length in words, such as `100,000 episodes` or `10m00s of training`.
  var text: String {
    let limits = [
      episodes > 0 ? "\(NumberText.grouped(episodes)) episodes" : nil,
      moves > 0 ? "\(NumberText.grouped(moves)) moves" : nil,
      seconds > 0 ? "\(NumberText.duration(seconds)) of training" : nil,
    ]
    return limits.compactMap(\.self).joined(separator: " or ")
  }
}
