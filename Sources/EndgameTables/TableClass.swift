import Game2048

/// A class of positions that one table, or a family of tables, answers.
///
/// A class is a list of places of locked tiles, and a number of large tiles that may be anywhere else. It
/// answers a position whose large tiles are all different, if in one of the eight symmetries large tiles stand
/// on all cells of a place, and as many others as the class allows elsewhere.
public struct TableClass: Sendable {
  /// The name, as its author has it.
  public let name: String
  /// The places of the locked tiles; none if no cell is fixed.
  public let places: [CellSet]
  /// The number of large tiles that may be anywhere.
  public let movable: Int

  /// Creates a class from the texts of its places.
  ///
  /// - Precondition: All places have the same number of cells.
  init(_ name: String, _ places: [String], movable: Int = 0) {
    self.name = name
    self.places = places.map { CellSet($0)! }
    self.movable = movable
    precondition(
      Set(self.places.map(\.cells.nonzeroBitCount)).count <= 1, "places have one size")
  }

  /// The number of cells without a large tile.
  public var freeCellCount: Int {
    Board.cellCount - movable - (places.first?.cells.nonzeroBitCount ?? 0)
  }

  /// Returns whether the class answers positions with large tiles on these cells.
  public func answers(_ cells: CellSet) -> Bool {
    guard Board.cellCount - cells.cells.nonzeroBitCount == freeCellCount else { return false }
    return places.isEmpty
      || places.contains { place in place.images.contains { $0 & ~cells.cells == 0 } }
  }

  /// The classes of the two strongest published players.
  ///
  /// `macroxue` is macroxue/2048-ai with its small and its large table, whose further conditions on the order
  /// of tiles are left out. The others are classes of game-difficulty/2048EndgameTablebase.
  public static let published: [TableClass] = [
    TableClass("macroxue 10", ["###./###./..../...."]),
    TableClass("macroxue 11", ["###./##../..../...."]),
    TableClass("44", ["####/####/..../...."]),
    TableClass("L3", ["###./###./..../...."]),
    TableClass(
      "L3f",
      [
        "###./###./..../....", ".##./###./#.../....", "..##/##../##../....", ".##./###./.#../....",
        ".##./.###/.#../....", ".##./.##./##../....", ".##./.##./.##./....", "..##/.###/.#../....",
        "##../###./.#../....", "...#/###./##../....", "..#./###./.##./....", "#.#./###./.#../....",
      ]),
    TableClass("442", ["####/##../..../...."]),
    TableClass(
      "442t",
      [
        "####/##../..../....", "###./##.#/..../....", "##.#/###./..../....", "##../####/..../....",
        ".###/##../#.../....", ".##./##.#/#.../....", ".###/..##/#.../....", "..##/.###/#.../....",
        ".##./##../#..#/....", ".#../###./#..#/....",
      ]),
    TableClass("t", ["##.#/##.#/..../....", "..##/#.##/#.../....", "..##/..##/#.../#..."]),
    TableClass("4421", ["###./##../..../...."]),
    TableClass("4431", ["###./#.../..../...."]),
    TableClass("LL", ["##../##../..../...."]),
    TableClass("444", ["####/..../..../...."]),
    TableClass("4432f", ["##../#.../..../...."], movable: 1),
    TableClass("4442ff", ["##../..../..../...."], movable: 2),
    TableClass("4442f", ["##../..../..../...."], movable: 1),
    TableClass("free8", [], movable: 8), TableClass("free9", [], movable: 7),
    TableClass("free10", [], movable: 6), TableClass("free11", [], movable: 5),
    TableClass("free12", [], movable: 4), TableClass("free13", [], movable: 3),
  ]
}
