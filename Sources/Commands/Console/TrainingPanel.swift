import Basics

/// The panel of a training run in the terminal: its progress, and the learning curve.
struct TrainingPanel: Sendable {
  /// The progress, as texts that share lines if there is room, such as the speed and the time left.
  var progress: [String]
  /// The outcome of recent games, such as the shares that reached a tile.
  var games: [String] = []
  /// The last evaluation and the last checkpoint.
  var events: [String] = []
  /// The learning curve, in the order of its episodes: the mean score of the episodes since the point before.
  var curve: [(episodes: Int, meanScore: Double)] = []
  /// The mean scores of evaluations, which are marked on the curve.
  var evaluations: [(episodes: Int, meanScore: Double)] = []

  /// The mark of an evaluation.
  static let mark: Character = "●"
  private static let highestCurve = 24
  /// The height up to which a curve may take the place of all messages above it.
  private static let usualCurve = 8
  /// The lines that a higher curve leaves for messages.
  private static let messageLines = 6
  private static let lowestCurve = 3
  private static let narrowestCurve = 10
  private static let blocks = Array(" ▁▂▃▄▅▆▇█")

  /// Returns the lines to draw on a terminal of this size: fewer than it shows, and narrower.
  ///
  /// Without room for the curve there are only the texts, those of the progress first.
  func lines(on size: TerminalSize) -> [String] {
    let width = max(0, size.columns - 1)
    let texts = [progress, games, events].flatMap { wrapped(items: $0, width: width) }
    // One line is left for messages, and a line of the panel for the axis.
    let room = min(
      TrainingPanel.highestCurve, size.rows - 2 - texts.count,
      max(TrainingPanel.usualCurve, size.rows - texts.count - TrainingPanel.messageLines))
    let lines = texts + (room < TrainingPanel.lowestCurve ? [] : curveLines(width, height: room))
    return lines.prefix(max(1, size.rows - 1)).map { String($0.prefix(width)) }
  }

  /// Returns the curve with an axis below it; empty without points, or if the terminal is too narrow.
  private func curveLines(_ width: Int, height: Int) -> [String] {
    guard let last = curve.last, let top = (curve + evaluations).map(\.meanScore).max(), top > 0
    else { return [] }
    let label = NumberText.grouped(top)
    let columns = min(width - label.count - 2, 120)
    guard columns >= TrainingPanel.narrowestCurve else { return [] }
    let heights = columnScores(columns).map { Int(($0 / top * Double(8 * height)).rounded()) }
    let margin = String(repeating: " ", count: label.count)
    var bars = (0..<height).map { row in
      let below = 8 * (height - 1 - row)
      return heights.map { TrainingPanel.blocks[min(8, max(0, $0 - below))] }
    }
    for (episodes, score) in evaluations {
      let column = (episodes * columns + last.episodes - 1) / max(1, last.episodes) - 1
      let row = height - Int((score / top * Double(height)).rounded(.up))
      bars[max(0, min(height - 1, row))][max(0, min(columns - 1, column))] = TrainingPanel.mark
    }
    let rows = bars.enumerated().map { row, bar in
      (row == 0 ? label : margin) + " │" + String(bar)
    }
    let (start, end) = ("0 ", " \(NumberText.count(last.episodes, "episode"))")
    let line = String(repeating: "─", count: max(0, columns - start.count - end.count))
    return rows + [margin + " └" + start + line + end]
  }

  /// Returns the mean score in each of equal parts of the episodes.
  ///
  /// A part without a point lies within the episodes of the next one.
  func columnScores(_ count: Int) -> [Double] {
    let total = curve.last?.episodes ?? 0
    var place = 0
    return (1...count).map { column in
      let end = Int((Double(total) * Double(column) / Double(count)).rounded())
      let first = place
      while place < curve.count, curve[place].episodes <= end { place += 1 }
      let inside = curve[first..<place]
      if inside.isEmpty { return curve[min(place, curve.count - 1)].meanScore }
      return inside.reduce(0) { $0 + $1.meanScore } / Double(inside.count)
    }
  }
}
