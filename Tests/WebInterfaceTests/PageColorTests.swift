import Foundation
import Testing

@testable import WebInterface

@Suite("The colours of the page")
struct PageColorTests {
  /// A colour as red, green and blue from 0 to 1.
  private struct Color: Hashable {
    let parts: [Double]

    init(hex: Substring) {
      let number = Int(hex, radix: 16)!
      parts = [16, 8, 0].map { Double(number >> $0 & 255) / 255 }
    }

    /// The relative luminance of WCAG 2.
    var luminance: Double {
      let linear = parts.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    func contrast(with other: Color) -> Double {
      let (low, high) = (min(luminance, other.luminance), max(luminance, other.luminance))
      return (high + 0.05) / (low + 0.05)
    }
  }

  /// The backgrounds and digits of the tiles by exponent, from 1 on.
  private func tiles() throws -> [(background: Color, digits: Color)] {
    let file = try #require(PageFile.all.first { $0.name == "page.css" })
    let style = String(decoding: file.bytes, as: UTF8.self)
    let rules = style.matches(
      of: /\.t(\d+) \{ background: #([0-9a-f]{6}); color: #([0-9a-f]{6}); \}/)
    try #require(rules.map { Int($0.output.1) } == Array(1...17))
    return rules.map { (Color(hex: $0.output.2), Color(hex: $0.output.3)) }
  }

  @Test("the digits of every tile have a contrast of at least 3:1")
  func contrast() throws {
    for (place, tile) in try tiles().enumerated() {
      let contrast = tile.background.contrast(with: tile.digits)
      #expect(contrast >= 3, "tile \(2 << place): \(contrast)")
    }
  }

  @Test("the backgrounds are the familiar ones, and all differ")
  func backgrounds() throws {
    let backgrounds = try tiles().map(\.background)
    let familiar = [
      "EEE4DA", "EDE0C8", "F2B179", "F59563", "F67C5F", "F65E3B", "EDCF72", "EDCC61", "EDC850",
      "EDC53F", "EDC22E",
    ].map { Color(hex: $0[...]) }
    #expect(Array(backgrounds.prefix(11)) == familiar)
    #expect(Set(backgrounds).count == 17)
  }

  @Test("texts have a contrast of at least 4.5:1 with the page and its panels")
  func texts() throws {
    let file = try #require(PageFile.all.first { $0.name == "page.css" })
    let style = String(decoding: file.bytes, as: UTF8.self)
    let blocks = style.components(separatedBy: ":root {").dropFirst().prefix(2)
    for block in blocks {
      let body = block.prefix { $0 != "}" }
      let pairs = body.matches(of: /--([a-z]+): #([0-9a-f]{6});/)
        .map { (String($0.output.1), Color(hex: $0.output.2)) }
      let colors = Dictionary(uniqueKeysWithValues: pairs)
      for text in ["text", "faint", "accent", "good", "small", "medium", "large"] {
        for ground in ["page", "panel"] {
          let contrast = try #require(colors[text]).contrast(with: #require(colors[ground]))
          #expect(contrast >= 4.5, "--\(text) on --\(ground): \(contrast)")
        }
      }
      // The curves of runs: pictures need 3:1.
      for curve in ["rust", "blue", "green", "violet", "ochre", "teal"] {
        let contrast = try #require(colors[curve]).contrast(with: #require(colors["panel"]))
        #expect(contrast >= 3, "--\(curve): \(contrast)")
      }
    }
  }
}
