import Game2048

/// The numbers that a network adds to the values of boards that it reads downgraded, in points.
///
/// A step of downgrading depends on the `TileLevel` of the board. When the missing tile is made, the
/// board is read with another one missing, and the sum of its features falls by thousands of points
/// although nothing was lost. When the tiles merge in the end, the sum rises again. A search sees a fall
/// coming and postpones it until the board is crowded. An offset for each level makes up for the mean of
/// these jumps:
///
/// `V(a) = Σ_k offset[level_k] + Σ_p Σ_s table_p[index_p(s(a'))]`
///
/// with the levels of the boards before the steps that lead from the afterstate `a` to the downgraded one
/// `a'`. A board without a missing tile has an offset, too, although nothing is halved.
public struct LevelOffsets: Hashable, Sendable {
  /// The exponents of the largest tiles that have offsets.
  public static let largest = Downgrading.range

  /// No offsets.
  public static let none = LevelOffsets(values: Array(repeating: 0, count: count))

  /// The number of places.
  static let count = 512
  /// The offsets by ``place(_:)``.
  var values: [Float]

  /// Returns the place of the offset of a level, whose largest tile is at most 32768.
  static func place(_ level: TileLevel) -> Int {
    level.largest &<< 5 | level.missing &<< 1 | (level.isRising ? 1 : 0)
  }

  /// The offset of a level.
  ///
  /// It is 0 if there is none, as for 65536: boards with that tile are read without it first.
  ///
  /// - Precondition: A level to set has a largest tile in ``largest``.
  public subscript(level: TileLevel) -> Float {
    get {
      LevelOffsets.largest.contains(level.largest) ? values[LevelOffsets.place(level)] : 0
    }
    set {
      precondition(LevelOffsets.largest.contains(level.largest), "no such level")
      values[LevelOffsets.place(level)] = newValue
    }
  }
}
