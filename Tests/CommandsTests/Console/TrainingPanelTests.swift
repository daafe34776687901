import Testing

@testable import Commands

@Suite("The panel of a training run")
struct TrainingPanelTests {
  private var panel = TrainingPanel(
    progress: ["40,000/100,000 episodes (40.0%)", "1.23 M moves/s", "12m05s left"])

  init() {
    panel.games = ["mean 8,000", "1024 98.1%", "2048 73.0%"]
    panel.events = ["evaluation 9,000 [8,500, 9,500] after 40,000 episodes"]
    panel.curve = [1_000, 3_000, 6_000, 8_000].enumerated().map { place, score in
      (episodes: 10_000 * (place + 1), meanScore: score)
    }
  }

  private func lines(_ panel: TrainingPanel, columns: Int, rows: Int) -> [String] {
    panel.lines(on: TerminalSize(columns: columns, rows: rows))
  }

  @Test("the texts, and the curve below them")
  func picture() {
    #expect(
      lines(panel, columns: 48, rows: 11) == [
        "40,000/100,000 episodes (40.0%)",
        "1.23 M moves/s   12m05s left",
        "mean 8,000   1024 98.1%   2048 73.0%",
        "evaluation 9,000 [8,500, 9,500] after 40,000 ep",
        "8,000 │                              ██████████",
        "      │                    ▆▆▆▆▆▆▆▆▆▆██████████",
        "      │                    ████████████████████",
        "      │          ▇▇▇▇▇▇▇▇▇▇████████████████████",
        "      │▅▅▅▅▅▅▅▅▅▅██████████████████████████████",
        "      └0 ────────────────────── 40,000 episodes",
      ])
  }

  @Test("the panel is smaller than the terminal", arguments: 1...60)
  func sizes(size: Int) {
    for other in [1, 2, 5, 10, 20, 24, 40, 80, 200] {
      for (columns, rows) in [(size, other), (other, size)] {
        let lines = lines(panel, columns: columns, rows: rows)
        #expect(lines.count <= max(1, rows - 1), "\(columns) x \(rows)")
        #expect(lines.allSatisfy { $0.count < max(2, columns) }, "\(columns) x \(rows)")
      }
    }
  }

  @Test("a low terminal has the texts without the curve, those of the progress first")
  func low() {
    let texts = lines(panel, columns: 120, rows: 7)
    #expect(texts.count == 3 && texts[0].hasSuffix("12m05s left"))
    #expect(lines(panel, columns: 120, rows: 3) == Array(texts.prefix(2)))
    #expect(lines(panel, columns: 120, rows: 8).count == 7)
    // A high terminal has a high curve, and a few messages above it.
    #expect(lines(panel, columns: 120, rows: 24).count == 3 + 16)
    #expect(lines(panel, columns: 120, rows: 100).count == 3 + 25)
  }

  @Test("evaluations are marked on the curve")
  func evaluations() {
    var panel = panel
    panel.evaluations = [(10_000, 4_000), (40_000, 10_000)]
    #expect(
      lines(panel, columns: 49, rows: 11).suffix(6) == [
        "10,000 │                                       ●",
        "       │                              ██████████",
        "       │                    ████████████████████",
        "       │         ●▄▄▄▄▄▄▄▄▄▄████████████████████",
        "       │▄▄▄▄▄▄▄▄▄▄██████████████████████████████",
        "       └0 ────────────────────── 40,000 episodes",
      ])
    // An evaluation before the first report of the curve, or after its last.
    panel.evaluations = [(0, 0), (50_000, 1)]
    #expect(lines(panel, columns: 49, rows: 11).count == 10)
  }

  @Test("there is no curve without games or without points")
  func noCurve() {
    var panel = panel
    panel.curve = []
    #expect(lines(panel, columns: 80, rows: 24).count == 3)
    panel.curve = [(episodes: 10, meanScore: 0)]
    #expect(lines(panel, columns: 80, rows: 24).count == 3)
  }

  @Test("a column of the curve is the mean of its points, or lies within the episodes of the next")
  func columns() {
    var panel = panel
    #expect(panel.columnScores(2) == [2_000, 7_000])
    #expect(panel.columnScores(4) == [1_000, 3_000, 6_000, 8_000])
    #expect(
      panel.columnScores(8) == [1_000, 1_000, 3_000, 3_000, 6_000, 6_000, 8_000, 8_000])
    // A run that was resumed has a report after few episodes.
    panel.curve.append((episodes: 40_001, meanScore: 5))
    #expect(panel.columnScores(4).count == 4 && panel.columnScores(4).last == 4_002.5)
  }
}
