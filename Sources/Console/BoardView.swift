import Game2048

/// A view that draws boards as lines of text.
package struct BoardView: Sendable {
  /// The size of the tiles.
  package enum Style: Sendable {
    /// Three lines per tile, with gaps: 17 lines of 37 columns.
    case large
    /// One line per row: 4 lines of 37 columns.
    case compact
  }

  private let depth: ColorDepth
  private let style: Style
  private let size: Int
  private static let tileWidth = 8

  /// Creates a view of boards of `size` × `size` cells.
  package init(depth: ColorDepth, style: Style, size: Int = 4) {
    self.depth = depth
    self.style = style
    self.size = size
  }

  /// Returns the lines of a board, without line ends.
  package func lines(_ board: Board) -> [String] {
    switch style {
    case .compact:
      return (0..<size).map { row in
        gap("|") + (0..<size).map { tile(board[4 * row + $0], isMiddle: true) + gap("|") }.joined()
      }
    case .large:
      let width = 1 + size * (BoardView.tileWidth + 1)
      let rule = depth == .none ? String(repeating: "-", count: width) : background(width)
      var lines = [rule]
      for row in 0..<size {
        for part in 0..<3 {
          lines.append(
            gap("|")
              + (0..<size).map { tile(board[4 * row + $0], isMiddle: part == 1) + gap("|") }
              .joined())
        }
        lines.append(rule)
      }
      return lines
    }
  }

  private func tile(_ exponent: Int, isMiddle: Bool) -> String {
    let text = isMiddle && exponent > 0 ? String(1 << exponent) : ""
    let left = (BoardView.tileWidth - text.count) / 2
    let right = BoardView.tileWidth - text.count - left
    return depth.select(
      text: .text(exponent: exponent), background: .background(exponent: exponent))
      + String(repeating: " ", count: left) + text + String(repeating: " ", count: right)
      + depth.reset
  }

  private func gap(_ plain: String) -> String {
    depth == .none ? plain : background(1)
  }

  private func background(_ width: Int) -> String {
    depth.select(text: .board, background: .board) + String(repeating: " ", count: width)
      + depth.reset
  }
}
