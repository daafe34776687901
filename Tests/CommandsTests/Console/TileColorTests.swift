import Foundation
import Testing

@testable import Commands

@Suite("Colours")
struct TileColorTests {
  @Test(
    "the environment selects the colours",
    arguments: [
      ([:], ColorDepth.palette256),
      (["COLORTERM": "truecolor"], .trueColor), (["COLORTERM": "24bit"], .trueColor),
      (["COLORTERM": "yes"], .palette256), (["COLORTERM": ""], .palette256),
      (["NO_COLOR": "1"], .none), (["NO_COLOR": "0"], .none), (["NO_COLOR": ""], .palette256),
      (["NO_COLOR": "1", "COLORTERM": "truecolor"], .none),
      (["TERM": "dumb"], .none), (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
      (["TERM": "xterm-256color"], .palette256),
    ])
  func environment(variables: [String: String], depth: ColorDepth) {
    #expect(ColorDepth(environment: variables, isDisabled: false) == depth)
    #expect(ColorDepth(environment: variables, isDisabled: true) == .none)
  }

  @Test("the sequences of each depth")
  func sequences() {
    let text = TileColor.text(exponent: 1)
    let background = TileColor.background(exponent: 11)
    #expect(ColorDepth.none.select(text: text, background: background) == "")
    #expect(ColorDepth.none.reset == "")
    #expect(
      ColorDepth.trueColor.select(text: text, background: background)
        == "\u{1B}[38;2;119;110;101m\u{1B}[48;2;237;194;46m")
    #expect(
      ColorDepth.palette256.select(text: text, background: background)
        == "\u{1B}[38;5;240m\u{1B}[48;5;214m")
    #expect(ColorDepth.trueColor.reset == "\u{1B}[0m")
    #expect(ColorDepth.palette256.reset == "\u{1B}[0m")
  }

  @Test("every tile up to 131072 has a separate background, and larger ones have that of 131072")
  func backgrounds() {
    let colors = (0...17).map { TileColor.background(exponent: $0) }
    for (exponent, color) in colors.enumerated() {
      #expect(colors.firstIndex(of: color) == exponent)
    }
    #expect(TileColor.background(exponent: 18) == colors[17])
    // The usual colours, from the empty cell to 2048.
    let known: [UInt32] = [
      0xCDC1B4, 0xEEE4DA, 0xEDE0C8, 0xF2B179, 0xF59563, 0xF67C5F, 0xF65E3B, 0xEDCF72, 0xEDCC61,
      0xEDC850, 0xEDC53F, 0xEDC22E,
    ]
    #expect(colors.prefix(12).map { RGB($0) } == known.map { RGB($0) })
    #expect(RGB(TileColor.board) == RGB(0xBBADA0))
    // With 256 colours, too, every tile differs from the others and from the gaps.
    #expect(Set((colors + [.board]).map(\.paletteIndex)).count == 19)
  }

  @Test("with 256 colours, a tile has the hue of its true colour", arguments: 3...17)
  func hues(exponent: Int) {
    let color = TileColor.background(exponent: exponent)
    let distance = abs(RGB(color).hue - RGB(palette: color.paletteIndex).hue)
    #expect(min(distance, 360 - distance) <= 20, "\(distance) degrees")
  }

  @Test("with 256 colours, pale tiles and the gaps are not tinted", arguments: 0...2)
  func paleTiles(exponent: Int) {
    for color in [TileColor.background(exponent: exponent), .board] {
      let parts = RGB(palette: color.paletteIndex).parts
      // Pink has less green than blue, and a tint of the 6 x 6 x 6 cube is 40 levels or more.
      #expect(parts[0] == parts[1] && parts[1] - parts[2] <= 40)
    }
  }

  @Test("the digits of every tile have a contrast of at least 3:1", arguments: 1...17)
  func contrast(exponent: Int) {
    let (background, text) = (
      TileColor.background(exponent: exponent), TileColor.text(exponent: exponent)
    )
    let true24 = RGB(background).contrast(with: RGB(text))
    #expect(true24 >= 3, "\(1 << exponent): \(true24)")
    let palette = RGB(palette: background.paletteIndex).contrast(
      with: RGB(palette: text.paletteIndex))
    #expect(palette >= 3, "\(1 << exponent), 256 colours: \(palette)")
  }
}

/// A colour as red, green and blue from 0 to 255.
private struct RGB: Equatable {
  let parts: [Int]

  init(_ hex: UInt32) { parts = [16, 8, 0].map { Int(hex >> $0 & 255) } }

  init(_ color: TileColor) { parts = [color.red, color.green, color.blue].map { Int($0) } }

  /// A colour of the 256-colour palette, from its 6 x 6 x 6 cube or its greys.
  init(palette: UInt8) {
    precondition(palette >= 16, "terminals define the first 16 colours themselves")
    let index = Int(palette) - 16
    let levels = [0, 95, 135, 175, 215, 255]
    parts =
      index < 216
      ? [levels[index / 36], levels[index / 6 % 6], levels[index % 6]]
      : Array(repeating: 8 + 10 * (index - 216), count: 3)
  }

  /// The hue in degrees.
  var hue: Double {
    let (red, green, blue) = (Double(parts[0]), Double(parts[1]), Double(parts[2]))
    let angle = atan2(3.0.squareRoot() * (green - blue), 2 * red - green - blue) * 180 / .pi
    return angle < 0 ? angle + 360 : angle
  }

  /// The relative luminance of WCAG 2.
  private var luminance: Double {
    let linear = parts.map { Double($0) / 255 }
      .map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  func contrast(with other: RGB) -> Double {
    let (low, high) = (min(luminance, other.luminance), max(luminance, other.luminance))
    return (high + 0.05) / (low + 0.05)
  }
}
