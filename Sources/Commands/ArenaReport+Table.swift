import Basics
import Foundation
import Play

extension ArenaReport {
  /// Returns the results as text: the tables of scores, tiles and differences, and decisions.
  ///
  /// - Parameter reference: The index of the player with which all others are compared.
  func table(reference: Int = 0) -> String {
    let name = players[reference].name
    let shown = comparisons.filter { $0.a == name || $0.b == name }
    let boards = startBoards.map { "from \(NumberText.count($0, "board")), " } ?? ""
    let others = shown.count < comparisons.count ? "; --json has the differences of all pairs" : ""
    let note =
      "\(boards)seed \(seed), the same spawns for all players; moves/s per thread; 95% intervals: "
      + "bootstrap of means, Wilson of shares\(verdictNote(shown))\(others)"
    let legend = isNumbered ? players.map { "\(label($0.name))  \($0.name)" } : []
    let scores = table(Player.table(players), labels: players.map { label($0.name) })
    let differences = table(differenceRows(shown), labels: shown.map(label))
    let blocks = [
      legend, scores, tileTable, shown.isEmpty ? [] : differences, tileDifferenceTable(shown),
      sequential?.lines(labels: label) ?? [], [wrapped(note)],
    ]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  /// The rows of comparisons with what they decide, unless a stopping rule decides.
  private func differenceRows(_ shown: [Comparison]) -> [[String]] {
    var rows = Comparison.table(shown)
    guard sequential == nil else { return rows }
    // Before the ratios, which narrow terminals show below.
    rows[0].insert("verdict", at: 3)
    for (place, comparison) in shown.enumerated() {
      let verdict = Verdict(
        comparison.meanDifference, comparison.ci95, comparisons: shown.count, samples: games)
      rows[place + 1].insert(verdict.text("game"), at: 3)
    }
    return rows
  }

  private func verdictNote(_ shown: [Comparison]) -> String {
    guard sequential == nil, !shown.isEmpty else { return "" }
    let all = shown.count > 1 ? " for all \(shown.count) together" : ""
    return "; verdict: whether the first is better, wrong with a probability of at most 5%\(all)"
  }

  /// Whether the names are so long that tables show numbers in place of them.
  private var isNumbered: Bool { players.contains { $0.name.count > 20 } }

  private func label(_ name: String) -> String {
    guard isNumbered, let place = players.firstIndex(where: { $0.name == name }) else {
      return name
    }
    return String(place + 1).padded(to: String(players.count).count, atEnd: false)
  }

  /// Returns a table with the labels of players. Intervals of a single game say nothing about others.
  private func table(_ rows: [[String]], labels: [String]) -> [String] {
    var rows = rows
    for (place, label) in labels.enumerated() { rows[place + 1][0] = label }
    for column in rows[0].indices where games < 2 && rows[0][column] == "95% interval" {
      for row in rows.indices.dropFirst() { rows[row][column] = "-" }
    }
    return alignedTable(rows)
  }

  /// The table of the shares of games that reached each tile from 2048 on. If no player reached it, the
  /// four largest tiles that some player reached are shown, too.
  private var tileTable: [String] {
    let all = players.first?.tileRates.map(\.tile) ?? []
    let reached = all.filter { tile in
      players.contains { $0.reached[String(tile), default: 0] > 0 }
    }
    let won = reached.filter { $0 >= 2048 }
    let tiles = startBoards != nil ? all : won.isEmpty ? reached.suffix(4) + [2048] : won
    let rows = players.map { player in
      [label(player.name)]
        + player.tileRates.filter { tiles.contains($0.tile) }.map {
          $0.ci95.percent($0.rate)
        }
    }
    return alignedTable([["reached"] + tiles.map(String.init)] + rows)
  }

  /// For games from given boards, the differences of the shares that reached each tile.
  private func tileDifferenceTable(_ shown: [Comparison]) -> [String] {
    let tiles = Set(shown.flatMap { ($0.reachedDifference ?? [:]).keys.compactMap { Int($0) } })
      .sorted()
    if tiles.isEmpty { return [] }
    let rows = shown.map { comparison in
      [label(comparison)]
        + tiles.map { tile in
          guard let difference = comparison.reachedDifference?[String(tile)],
            let interval = comparison.reachedDifferenceCi95?[String(tile)]
          else { return "-" }
          return games > 1
            ? interval.percent(difference, format: "%+.1f")
            : String(format: "%+.1f%%", 100 * difference)
        }
    }
    return alignedTable([["difference"] + tiles.map(String.init)] + rows)
  }

  private func label(_ comparison: Comparison) -> String {
    "\(label(comparison.a)) - \(label(comparison.b))"
  }
}

extension ArenaReport.Sequential {
  fileprivate func lines(labels label: (String) -> String) -> [String] {
    let rate = String(format: "%g", errorRate)
    return decisions.map { decision in
      let (a, b) = (label(decision.a), label(decision.b))
      guard let better = decision.better, let games = decision.games else {
        return "\(a) and \(b): not decided"
      }
      let other = better == decision.a ? b : a
      return "\(label(better)) wins more often than \(other): decided after "
        + NumberText.count(games, "game")
    } + [
      wrapped(
        "The probability of naming a player that does not win more often is at most \(rate). Intervals "
          + "assume a fixed number of games, and are too narrow if a difference ended the games.")
    ]
  }
}
