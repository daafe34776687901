/// A colour of the board or its tiles, as in the original game.
package struct TileColor: Equatable, Sendable {
  package let red: UInt8
  package let green: UInt8
  package let blue: UInt8

  init(_ hex: UInt32) {
    red = UInt8(truncatingIfNeeded: hex >> 16)
    green = UInt8(truncatingIfNeeded: hex >> 8)
    blue = UInt8(truncatingIfNeeded: hex)
  }

  /// The colour behind and between the tiles.
  package static let board = TileColor(0xBBADA0)
  static let darkText = TileColor(0x776E65)
  static let lightText = TileColor(0xF9F6F2)

  /// The backgrounds by exponent, from the empty cell to 131072.
  private static let backgrounds = [
    0xCDC1B4, 0xEEE4DA, 0xEDE0C8, 0xF2B179, 0xF59563, 0xF67C5F, 0xF65E3B, 0xEDCF72, 0xEDCC61,
    0xEDC850, 0xEDC53F, 0xEDC22E, 0x6BBF59, 0x3E9C4F, 0x2C8C99, 0x3B6FB6, 0x5B4FA8, 0x7A3B8F,
  ].map { TileColor($0) }

  /// Returns the background of a tile.
  package static func background(exponent: Int) -> TileColor {
    backgrounds[min(exponent, backgrounds.count - 1)]
  }

  /// Returns the text colour of a tile: dark on 2 and 4, light on the others.
  package static func text(exponent: Int) -> TileColor {
    exponent <= 2 ? darkText : lightText
  }
}

/// The number of colours that a terminal shows.
package enum ColorDepth: Sendable {
  case none
  case palette256
  case trueColor

  /// Determines the colours from the environment.
  ///
  /// - Parameter environment: a `NO_COLOR` that is not empty and `TERM=dumb` disable colours; `COLORTERM`
  ///   selects true colour.
  package init(environment: [String: String], isDisabled: Bool) {
    if isDisabled || !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb" {
      self = .none
    } else if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") {
      self = .trueColor
    } else {
      self = .palette256
    }
  }

  /// Returns the control sequence that selects a text and a background colour; empty without colours.
  package func select(text: TileColor, background: TileColor) -> String {
    switch self {
    case .none: ""
    case .trueColor:
      "\u{1B}[38;2;\(text.red);\(text.green);\(text.blue)m"
        + "\u{1B}[48;2;\(background.red);\(background.green);\(background.blue)m"
    case .palette256: "\u{1B}[38;5;\(text.paletteIndex)m\u{1B}[48;5;\(background.paletteIndex)m"
    }
  }

  /// The control sequence that restores the colours of the terminal.
  package var reset: String { self == .none ? "" : "\u{1B}[0m" }
}

extension TileColor {
  /// The nearest colour of the 6 × 6 × 6 cube of the 256-colour palette.
  var paletteIndex: Int {
    func level(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
    return 16 + 36 * level(red) + 6 * level(green) + level(blue)
  }
}
