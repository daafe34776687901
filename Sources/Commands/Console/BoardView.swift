import Game2048

struct BoardView: Sendable {
  let depth: ColorDepth
  /// Whether there are three lines per tile, with gaps: 17 lines instead of 4.
  let isLarge: Bool
  var size = 4
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

/// A colour of the board or its tiles, as close to the original game as the terminal allows.
struct TileColor: Equatable, Sendable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8
  /// The index of the colour that replaces it in the 256-colour palette. It is chosen by hand, because the
  /// nearest colours of pale tiles are pink and grey.
  let paletteIndex: UInt8

  init(_ hex: UInt32, palette: UInt8) {
    red = UInt8(truncatingIfNeeded: hex >> 16)
    green = UInt8(truncatingIfNeeded: hex >> 8)
    blue = UInt8(truncatingIfNeeded: hex)
    paletteIndex = palette
  }

  static let board = TileColor(0xBBADA0, palette: 248)

  private static let light = TileColor(0xFFFFFF, palette: 231)

  /// The backgrounds and texts by exponent, from the empty cell to 131072.
  ///
  /// The backgrounds are the familiar ones, and every text has a contrast of at least 3:1 with its background.
  private static let tiles: [(background: TileColor, text: TileColor)] = [
    (TileColor(0xCDC1B4, palette: 251), TileColor(0x776E65, palette: 240)),
    (TileColor(0xEEE4DA, palette: 255), TileColor(0x776E65, palette: 240)),
    (TileColor(0xEDE0C8, palette: 230), TileColor(0x776E65, palette: 240)),
    (TileColor(0xF2B179, palette: 215), TileColor(0x574A3C, palette: 238)),
    (TileColor(0xF59563, palette: 209), TileColor(0x4A3728, palette: 237)),
    (TileColor(0xF67C5F, palette: 203), TileColor(0x432A20, palette: 235)),
    (TileColor(0xF65E3B, palette: 196), light),
    (TileColor(0xEDCF72, palette: 222), TileColor(0x64532A, palette: 58)),
    (TileColor(0xEDCC61, palette: 221), TileColor(0x5F4F26, palette: 58)),
    (TileColor(0xEDC850, palette: 220), TileColor(0x5B4A20, palette: 58)),
    (TileColor(0xEDC53F, palette: 178), TileColor(0x57461B, palette: 236)),
    (TileColor(0xEDC22E, palette: 214), TileColor(0x524116, palette: 237)),
    (TileColor(0x6BBF59, palette: 71), TileColor(0x173D10, palette: 234)),
    (TileColor(0x3E9C4F, palette: 28), light),
    (TileColor(0x2C8C99, palette: 30), light),
    (TileColor(0x3B6FB6, palette: 25), light),
    (TileColor(0x5B4FA8, palette: 61), light),
    (TileColor(0x7A3B8F, palette: 91), light),
  ]

  static func background(exponent: Int) -> TileColor {
    tiles[min(exponent, tiles.count - 1)].background
  }

  static func text(exponent: Int) -> TileColor {
    tiles[min(exponent, tiles.count - 1)].text
  }
}

enum ColorDepth: Sendable {
  case none
  case palette256
  case trueColor

  /// Determines the colours from the environment.
  ///
  /// - Parameter environment: a `NO_COLOR` that is not empty and `TERM=dumb` disable colours; `COLORTERM`
  ///   selects true colour.
  init(environment: [String: String], isDisabled: Bool) {
    if isDisabled || !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb" {
      self = .none
    } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") {
      self = .trueColor
    } else {
      self = .palette256
    }
  }

  /// Returns the control sequence that selects a text and a background colour; empty without colours.
  func select(text: TileColor, background: TileColor) -> String {
    switch self {
    case .none: ""
    case .trueColor:
      "\u{1B}[38;2;\(text.red);\(text.green);\(text.blue)m"
        + "\u{1B}[48;2;\(background.red);\(background.green);\(background.blue)m"
    case .palette256: "\u{1B}[38;5;\(text.paletteIndex)m\u{1B}[48;5;\(background.paletteIndex)m"
    }
  }

  var reset: String { self == .none ? "" : "\u{1B}[0m" }
}
