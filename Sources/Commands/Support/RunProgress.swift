import Basics
import Foundation
import Play
import Synchronization
import Training

extension RunMonitor.Standing {
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
        "\(TrainingPanel.mark) evaluation \(evaluation.text) after \(NumberText.count(report.episodes, "episode"))"
      )
    }
    if let checkpoint {
      let age = NumberText.duration(checkpoint.time.duration(to: .now).seconds)
      panel.events.append(
        "checkpoint after \(NumberText.count(checkpoint.episodes, "episode")), \(age) ago")
    }
    panel.evaluations = reports.compactMap { report in
      report.evaluation.map { (report.episodes, $0.meanScore) }
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

/// The progress of games: their number, and the time left.
final class GamesMeter: Sendable {
  private let total: Int
  /// The number of games that were played earlier.
  private let earlier: Int
  private let began = ContinuousClock.now
  private let lastLine = Mutex(ContinuousClock.now)

  init(total: Int, earlier: Int = 0) {
    (self.total, self.earlier) = (total, earlier)
  }

  /// Redraws the progress line on a terminal; otherwise prints a line occasionally.
  ///
  /// - Parameters:
  ///   - done: the number of finished games, including earlier ones.
  ///   - played: the number of games that were played since the beginning, from which the time left follows; nil for
  ///     all of them.
  ///   - moves: the number of moves of finished and current games; 0 if unknown.
  func show(_ done: Int, played: Int? = nil, moves: Int = 0, on console: StandardError) {
    let played = played ?? done
    let elapsed = began.duration(to: .now)
    var text = "\(NumberText.grouped(done))/\(NumberText.count(total, "game"))"
    if moves > 0 { text += "  \(NumberText.count(moves, "move"))" }
    if played > 0 {
      let left = elapsed.seconds / Double(played) * Double(total - earlier - played)
      text += "  \(NumberText.duration(left)) left"
    }
    if console.isTerminal { return console.showProgress([text]) }
    lastLine.withLock { last in
      // The time between two lines grows with the elapsed time.
      guard last.duration(to: .now) >= max(.seconds(10), elapsed / 30) else { return }
      last = .now
      console.line(text)
    }
  }
}

extension PlayerFactory {
  /// Creates a factory that shows on a terminal which model it is reading.
  static func showingProgress(defaultModel: String? = nil) -> PlayerFactory {
    PlayerFactory(defaultModel: defaultModel) { path in
      guard StandardError.shared.isTerminal else { return }
      guard let path else { return StandardError.shared.endProgress() }
      let name = URL(fileURLWithPath: path).lastPathComponent
      StandardError.shared.showProgress(["reading \(name)"])
    }
  }
}
