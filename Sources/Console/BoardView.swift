import Game2048

/// A view that draws boards as lines of text.
struct BoardView: Sendable {
  let depth: ColorDepth
  /// Whether there are three lines per tile, with gaps: 17 lines instead of 4.
  let isLarge: Bool
  /// The number of rows and of columns.
  var size = 4
  /// The number of columns of a tile.
  var tileWidth = BoardView.tileWidths.upperBound

  /// The narrowest tiles have room for 131072.
  private static let tileWidths = 6...8

  /// Returns the number of columns of a tile, so that boards of a size fit on a terminal if possible.
  static func tileWidth(size: Int, columns: Int) -> Int {
    let room = (columns - 1) / size - 1
    return min(max(room, tileWidths.lowerBound), tileWidths.upperBound)
  }

  /// Returns the lines of a board, without line ends.
  func lines(_ board: Board) -> [String] {
    func line(_ row: Int, isMiddle: Bool) -> String {
      gap + (0..<size).map { tile(board[4 * row + $0], isMiddle: isMiddle) + gap }.joined()
    }
    guard isLarge else { return (0..<size).map { line($0, isMiddle: true) } }
    let width = 1 + size * (tileWidth + 1)
    let rule = depth == .none ? String(repeating: "-", count: width) : background(width)
    return [rule]
      + (0..<size).flatMap { row in
        [false, true, false].map { line(row, isMiddle: $0) } + [rule]
      }
  }

  private func tile(_ exponent: Int, isMiddle: Bool) -> String {
    let text = isMiddle && exponent > 0 ? String(1 << exponent) : ""
    let left = (tileWidth - text.count) / 2
    let right = tileWidth - text.count - left
    return depth.select(
      text: .text(exponent: exponent), background: .background(exponent: exponent))
      + String(repeating: " ", count: left) + text + String(repeating: " ", count: right)
      + depth.reset
  }

  private var gap: String { depth == .none ? "|" : background(1) }

  private func background(_ width: Int) -> String {
    depth.select(text: .board, background: .board) + String(repeating: " ", count: width)
      + depth.reset
  }
}
