import Basics
import EndgameTables

extension TableCensus {
  /// The census as tables of text.
  ///
  /// - Parameters:
  ///   - games: The number of games with a position that counts.
  ///   - tile: The tile that such a position has at least.
  ///   - count: The number of places to list for each kind of position.
  func text(games: Int, from tile: Int, places count: Int) -> String {
    let title =
      "\(NumberText.count(positions, "position")) with \(tile) or more, of "
      + NumberText.count(games, "game")
    let sections = [
      [title], section("Positions by free cells and goal", kindTable),
      section("Places of the locked tiles, by their share", placeLines(count)),
      section("Share of locked positions that a class of tables answers", classTable),
      section("Positions by their largest tiles, and the share that a class answers", chainTable),
    ]
    return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private func section(_ title: String, _ lines: [String]) -> [String] { [title + ":"] + lines }

  private var sortedKinds: [(kind: Kind, places: Places)] {
    kinds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func share(_ part: Int, of whole: Int) -> String {
    NumberText.percent(Double(part) / Double(max(1, whole)))
  }

  private var kindTable: [String] {
    let most = [1, 2, 4, 8]
    let rows = sortedKinds.map { kind, places in
      let all = places.locked + places.notLocked
      return ["\(kind.freeCells) to \(1 << kind.goal)", share(all, of: positions)]
        + [share(places.locked, of: all), "\(places.cells.count)"]
        + most.map { NumberText.percent(places.share(ofMostFrequent: $0)) }
    }
    return alignedTable(
      [["free cells", "positions", "locked", "places"] + most.map { "best \($0)" }] + rows)
  }

  private func placeLines(_ count: Int) -> [String] {
    sortedKinds.filter { $0.places.locked > 0 }.map { kind, places in
      let shown = places.byCount.prefix(count).map {
        "\($0.place) \(share($0.count, of: places.locked))"
      }
      return "\(kind.freeCells) to \(1 << kind.goal): " + shown.joined(separator: ", ")
    }
  }

  private var classTable: [String] {
    let goals = Array(TableCensus.goals)
    let rows = classes.map { table in
      ["\(table.name) (\(table.freeCellCount))"]
        + goals.map { goal in
          let kind = Kind(freeCells: table.freeCellCount, goal: goal)
          return kinds[kind] == nil ? "-" : NumberText.percent(share(of: table, in: kind))
        }
    }
    return alignedTable([["class (free)"] + goals.map { "to \(1 << $0)" }] + rows)
  }

  private var chainTable: [String] {
    let shown = classes.indices.sorted { share(of: $0) > share(of: $1) }.prefix(8)
    let rows = chains.sorted { $0.key < $1.key }.map { chain, found in
      ["\(chain)", share(found.positions, of: positions)]
        + shown.map { share(found.answered[$0], of: found.positions) }
    }
    let all = ["all", "100.0%"] + shown.map { NumberText.percent(share(of: $0)) }
    return alignedTable(
      [["largest tiles", "positions"] + shown.map { classes[$0].name }] + rows + [all], width: 120)
  }
}
