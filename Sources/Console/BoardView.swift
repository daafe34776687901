import Game2048

/// A view that draws boards as lines of text.
struct BoardView: Sendable {
  let depth: ColorDepth
  /// Whether there are three lines per tile, with gaps: 17 lines of 37 columns, instead of 4.
  let isLarge: Bool
  /// The number of rows and of columns.
  var size = 4

  private static let tileWidth = 8

  /// Returns the lines of a board, without line ends.
  func lines(_ board: Board) -> [String] {
    func line(_ row: Int, isMiddle: Bool) -> String {
      gap + (0..<size).map { tile(board[4 * row + $0], isMiddle: isMiddle) + gap }.joined()
    }
    guard isLarge else { return (0..<size).map { line($0, isMiddle: true) } }
    let width = 1 + size * (BoardView.tileWidth + 1)
    let rule = depth == .none ? String(repeating: "-", count: width) : background(width)
    return [rule]
      + (0..<size).flatMap { row in
        [false, true, false].map { line(row, isMiddle: $0) } + [rule]
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

  private var gap: String { depth == .none ? "|" : background(1) }

  private func background(_ width: Int) -> String {
    depth.select(text: .board, background: .board) + String(repeating: " ", count: width)
      + depth.reset
  }
}
