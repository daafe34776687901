import Game2048

/// The maximal depth of a search by the number of empty cells.
///
/// Emptier boards are safer and have more spawns to follow. A limit `CELLS:PLIES` says that
/// afterstates with at least `CELLS` empty cells are searched at most `PLIES` plies deep, counted
/// from the move that led to them. It holds at the root and at every afterstate below it.
public struct DepthLimits: Hashable, Sendable {
  /// The plies allowed at each number of empty cells, as elements 0 to 16.
  @usableFromInline var plies = SIMD32<UInt8>(repeating: .max)

  /// No limits.
  public static let none = DepthLimits()

  /// Adds a limit to those there are.
  ///
  /// - Precondition: `emptyCells` is in 0...16, and `plies` in ``SearchDepth/range``.
  public mutating func add(plies: Int, fromEmptyCells emptyCells: Int) {
    precondition(SearchDepth.range.contains(plies), "a limit is a number of plies")
    for count in emptyCells...Board.cellCount {
      self.plies[count] = min(self.plies[count], UInt8(plies))
    }
  }

  /// The move layers that may lie below an afterstate with `emptyCells` empty cells.
  @inlinable
  @inline(__always)
  func layers(emptyCells: Int) -> Int { Int(plies[emptyCells]) &- 1 }
}

extension DepthLimits: CustomStringConvertible {
  /// The limits as a PLAYER text writes them, such as `6:3/10:2`; empty if there are none.
  public var description: String {
    var limits: [String] = []
    var last = UInt8.max
    for cells in 0...Board.cellCount where plies[cells] != last {
      last = plies[cells]
      limits.append("\(cells):\(last)")
    }
    return limits.joined(separator: "/")
  }
}
