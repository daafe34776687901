import Arena
import Basics
import Console
import Foundation

extension ArenaReport {
  /// Returns the results as text: the tables of scores and tiles, comparisons and decisions.
  ///
  /// - Parameter isCurve: whether each player is compared only with the next one.
  func table(isCurve: Bool = false) -> String {
    let comparisons = isCurve ? comparisonsOfNeighbours : comparisons
    let boards = startBoards.map { "from \(NumberText.grouped($0)) boards, " } ?? ""
    let blocks = [
      scoreTable, tileTable, comparisons.flatMap(\.lines), sequential?.lines ?? [],
      [
        "\(boards)seed \(seed), the same spawns for all players; moves/s per thread; 95% intervals: bootstrap "
          + "of means, Wilson of shares"
      ],
    ]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  private var scoreTable: [String] {
    let rows = players.map { player in
      [
        player.name, NumberText.grouped(player.games), NumberText.grouped(player.score.mean),
        player.score.ci95.text, NumberText.grouped(player.score.median),
        NumberText.grouped(player.score.max), NumberText.grouped(player.moves),
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
      [player.name]
        + player.tileRates.filter { tiles.contains($0.tile) }.map { rate in
          String(
            format: "%.1f%% [%.1f, %.1f]", 100 * rate.rate, 100 * rate.ci95.low,
            100 * rate.ci95.high)
        }
    }
    return alignedTable([["games that reached"] + tiles.map(String.init)] + rows)
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
  fileprivate var lines: [String] {
    let rate = String(format: "%g", errorRate)
    return decisions.map { decision in
      guard let better = decision.better, let games = decision.games else {
        return "\(decision.a) and \(decision.b): not decided"
      }
      let other = better == decision.a ? decision.b : decision.a
      return "\(better) wins more often than \(other): decided after \(games) games"
    } + [
      "The probability of naming a player that does not win more often is at most \(rate). Intervals "
        + "assume a fixed number of games, and are too narrow if a difference ended the games."
    ]
  }
}

extension ArenaReport.Comparison {
  /// The comparison of the scores, and for games from given boards of the tiles.
  fileprivate var lines: [String] {
    let tiles = (reachedDifference ?? [:]).compactMap { text, difference in
      Int(text).map { (tile: $0, difference: difference) }
    }.sorted { $0.tile < $1.tile }
    return [text]
      + tiles.compactMap { tile, difference in
        reachedDifferenceCi95?[String(tile)].map {
          String(
            format: "%@ - %@: %+.1f%% [%.1f, %.1f] of games reached %d", a, b, 100 * difference,
            100 * $0.low, 100 * $0.high, tile)
        }
      }
  }

  private var text: String {
    let difference = "\(a) - \(b): \(NumberText.signed(meanDifference)) \(ci95.text)"
    guard let ratio, let range = ratioCi95 else { return difference }
    return difference
      + String(format: ", ratio %.2f [%.2f, %.2f]", ratio, range.low, range.high)
  }
}
