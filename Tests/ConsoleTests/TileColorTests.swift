import Testing

@testable import Console

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
    // 0x776E65 is nearest to (135, 95, 95), and 0xEDC22E to (255, 175, 0) by channel.
    #expect(
      ColorDepth.palette256.select(text: text, background: background)
        == "\u{1B}[38;5;95m\u{1B}[48;5;214m")
    #expect(ColorDepth.trueColor.reset == "\u{1B}[0m")
    #expect(ColorDepth.palette256.reset == "\u{1B}[0m")
  }

  @Test("the palette index is that of the nearest level in every channel")
  func paletteIndices() {
    let levels = [0, 95, 135, 175, 215, 255]
    for value in 0...255 {
      let nearest = levels.map { abs($0 - value) }.min()
      for shift in [0, 8, 16] {
        let index = TileColor(UInt32(value) << UInt32(shift)).paletteIndex - 16
        let digits = [index % 6, index / 6 % 6, index / 36]
        #expect(abs(levels[digits[shift / 8]] - value) == nearest, "channel value \(value)")
        #expect(digits.reduce(0, +) == digits[shift / 8])
      }
    }
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
    #expect(Array(colors.prefix(12)) == known.map { TileColor($0) })
    #expect(TileColor.board == TileColor(0xBBADA0))
  }

  @Test("the text is dark on 2 and 4, light on the rest")
  func texts() {
    #expect((1...2).allSatisfy { TileColor.text(exponent: $0) == .darkText })
    #expect((3...17).allSatisfy { TileColor.text(exponent: $0) == .lightText })
  }
}
