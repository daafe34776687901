import Basics
import Foundation
import Play

extension ArenaReport {
  /// Returns the results as text: the tables of scores, tiles and differences, and decisions.
  ///
  /// - Parameter isCurve: Whether each player is compared with the next one, instead of all with the first.
  func table(isCurve: Bool = false) -> String {
    let shown = isCurve ? comparisonsOfNeighbours : comparisons.filter { $0.a == players[0].name }
    let boards = startBoards.map { "from \(NumberText.count($0, "board")), " } ?? ""
    let others = shown.count < comparisons.count ? "; --json has the differences of all pairs" : ""
    let note =
      "\(boards)seed \(seed), the same spawns for all players; moves/s per thread; 95% intervals: "
      + "bootstrap of means, Wilson of shares\(others)"
    let blocks = [
      legend, scoreTable, tileTable, differenceTable(shown), tileDifferenceTable(shown),
      sequential?.lines(labels: label) ?? [], [wrapped(note)],
    ]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  /// Whether the names are so long that tables show numbers in place of them.
  private var isNumbered: Bool { players.contains { $0.name.count > 20 } }

  /// The numbers of the players, if tables show them.
  private var legend: [String] {
    isNumbered ? players.map { "\(label($0.name))  \($0.name)" } : []
  }

  /// Returns the name of a player in tables.
  private func label(_ name: String) -> String {
    guard isNumbered, let place = players.firstIndex(where: { $0.name == name }) else {
      return name
    }
    return String(place + 1).padded(to: String(players.count).count, atEnd: false)
  }

  /// Returns the text of an interval; a dash for a single game, which says nothing about others.
  private func text(_ interval: ConfidenceInterval?, as text: (ConfidenceInterval) -> String)
    -> String
  {
    games > 1 ? interval.map(text) ?? "-" : "-"
  }

  private var scoreTable: [String] {
    let rows = players.map { player in
      [
        label(player.name), NumberText.grouped(player.games), NumberText.grouped(player.score.mean),
        text(player.score.ci95, as: \.text), NumberText.grouped(player.score.median),
        NumberText.grouped(player.score.max), NumberText.rate(Double(player.moves)),
        NumberText.rate(player.movesPerSecond),
      ]
    }
    return alignedTable(
      [["player", "games", "mean", "95% interval", "median", "max", "moves", "moves/s"]] + rows)
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

  /// The differences of the mean scores.
  private func differenceTable(_ shown: [Comparison]) -> [String] {
    if shown.isEmpty { return [] }
    let rows = shown.map { comparison in
      let ratio = comparison.ratio.map { String(format: "%.2f", $0) } ?? "-"
      let range = text(comparison.ratioCi95) { String(format: "[%.2f, %.2f]", $0.low, $0.high) }
      return [
        label(comparison), NumberText.signed(comparison.meanDifference),
        text(comparison.ci95, as: \.text), ratio, range,
      ]
    }
    return alignedTable([["difference", "mean", "95% interval", "ratio", "95% interval"]] + rows)
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

  private var comparisonsOfNeighbours: [Comparison] {
    // The comparisons are all pairs in the order of the players: those of `a` start with the next player.
    var next = 0
    return players.indices.dropLast().map { a in
      defer { next += players.count - 1 - a }
      return comparisons[next]
    }
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
