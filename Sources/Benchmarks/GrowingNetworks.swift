/// Networks of increasing size, which show the effect of memory and caches on speed.
package enum GrowingNetworks {
  /// Twelve patterns of six cells, no two equal under a symmetry: the 8x6 set and four more.
  static let sixCells = [
    "012456", "456789", "012345", "234569", "01259a", "345678", "134567", "01489a", "01256a",
    "0126ae", "015689", "01469a",
  ]

  /// Pattern sets of 1 to 12 patterns of six cells.
  package static let counts: [[String]] = (1...sixCells.count).map { Array(sixCells.prefix($0)) }

  /// Pattern sets of two patterns of 4, 5, 6 and 7 cells.
  package static let sizes: [[String]] = [
    ["0123", "4567"], ["01234", "45678"], ["012345", "456789"], ["0123456", "456789a"],
  ]

  /// Returns the name of a network in tables: such as `12x6` for twelve patterns of six cells, or the list
  /// of patterns if their sizes differ.
  package static func name(_ patterns: [String]) -> String {
    let sizes = Set(patterns.map(\.count))
    return sizes.count == 1
      ? "\(patterns.count)x\(sizes.first!)" : patterns.joined(separator: ",")
  }
}
