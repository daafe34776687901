import Basics
import Game2048

/// How far boards are searched at most, by the number of their empty cells: emptier boards are safer
/// and have more spawns to follow.
///
/// A limit `CELLS:PLIES` says that no afterstate with at least so many empty cells is looked at
/// further than so many plies, counted from the move that led to it. It holds at the root and at
/// every afterstate on the way. Written as limits separated by `/`, as `6:3/10:2`.
public struct DepthLimits: Hashable, Sendable {
  /// The plies allowed at each number of empty cells, in lanes 0 to 16.
  @usableFromInline var plies: SIMD32<UInt8>

  /// No limits.
  public static let none = DepthLimits(plies: SIMD32(repeating: .max))

  private init(plies: SIMD32<UInt8>) {
    self.plies = plies
  }

  /// Reads limits; nil if the text is none.
  public init?(_ text: String) {
    self = .none
    for limit in text.split(separator: "/", omittingEmptySubsequences: false) {
      let numbers = limit.split(separator: ":", omittingEmptySubsequences: false)
        .map { Count.read(String($0)) }
      guard numbers.count == 2, let cells = numbers[0], let plies = numbers[1],
        (0...Board.cellCount).contains(cells), SearchDepth.range.contains(plies)
      else { return nil }
      for lane in cells...Board.cellCount {
        self.plies[lane] = min(self.plies[lane], UInt8(plies))
      }
    }
  }

  /// The move layers that may lie below an afterstate with so many empty cells.
  @inlinable
  @inline(__always)
  func layers(emptyCells: Int) -> Int { Int(plies[emptyCells]) &- 1 }
}

extension DepthLimits: CustomStringConvertible {
  /// The text that reads as these limits; empty if there are none.
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
