import Foundation

/// The texts of numbers that people read.
package enum NumberText {
  /// Returns a grouped number, such as `1,234,567`.
  package static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (value < 0 ? "-" : "") + text
  }

  /// Returns a grouped number of things, such as `1 game` or `1,000 games`.
  ///
  /// - Parameter noun: The word for one thing, whose plural ends in "s".
  package static func count(_ value: Int, _ noun: String) -> String {
    "\(grouped(value)) \(noun)\(value == 1 ? "" : "s")"
  }

  /// Returns a value rounded to a whole number and grouped.
  package static func grouped(_ value: Double) -> String {
    value.isFinite && abs(value) < 1e15 ? grouped(Int(value.rounded())) : "-"
  }

  /// Returns a grouped number with its sign.
  package static func signed(_ value: Double) -> String {
    (value >= 0 ? "+" : "") + grouped(value)
  }

  /// Returns a number of points, with two decimals if it is small.
  package static func points(_ value: Double) -> String {
    value < 100 ? String(format: "%.2f", value) : grouped(value)
  }

  /// Returns a share as a percentage with one decimal.
  package static func percent(_ share: Double) -> String {
    String(format: "%.1f%%", share * 100)
  }

  /// Returns a number with a unit prefix, such as `4.12 M`, `531 k`, `18.2` or `18`.
  package static func rate(_ value: Double) -> String {
    switch value {
    case 1e6...: String(format: "%.2f M", value / 1e6)
    case 1e4...: String(format: "%.0f k", value / 1e3)
    case 1e3...: String(format: "%.1f k", value / 1e3)
    default: value == value.rounded() ? grouped(value) : String(format: "%.1f", value)
    }
  }

  /// Returns a duration, such as `42s`, `3m05s`, `2h07m` or `4d02h`.
  package static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "-" }
    let whole = Int(max(0, seconds).rounded())
    return switch whole {
    case ..<60: "\(whole)s"
    case ..<3_600: String(format: "%dm%02ds", whole / 60, whole % 60)
    case ..<86_400: String(format: "%dh%02dm", whole / 3_600, whole / 60 % 60)
    default: String(format: "%dd%02dh", whole / 86_400, whole / 3_600 % 24)
    }
  }
}

/// A count as people type it, such as `250000`, `250_000`, `1e6` or `2.5e4`.
package struct Count: Equatable, Sendable {
  package let value: Int

  /// The reason why a text is not a count.
  package enum ParsingError: Error, Equatable, CustomStringConvertible {
    case notANumber(String)
    case notWhole(String)
    case negative(String)
    case tooLarge(String)

    package var description: String {
      switch self {
      case .notANumber(let text): "'\(text)' is not a number. Write 250000, 250_000 or 2.5e5."
      case .notWhole(let text): "'\(text)' is not a whole number."
      case .negative(let text): "'\(text)' is negative."
      case .tooLarge(let text): "'\(text)' is too large. The largest count is \(Int.max)."
      }
    }
  }

  /// Reads a count exactly, without rounding.
  ///
  /// - Throws: ``ParsingError``.
  package init(parsing text: String) throws(ParsingError) {
    var rest = text[...]
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest.removeFirst() }
    let parts = rest.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "e" || $0 == "E" })
    let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = Count.digits(mantissa[0]), !whole.isEmpty,
      let fraction = mantissa.count == 2 ? Count.digits(mantissa[1]) : "",
      mantissa.count == 1 || !fraction.isEmpty
    else { throw .notANumber(text) }
    var exponent = 0
    if parts.count == 2 {
      let sign = parts[1].first == "+" || parts[1].first == "-" ? parts[1].first : nil
      guard let digits = Count.digits(sign == nil ? parts[1] : parts[1].dropFirst()),
        !digits.isEmpty
      else { throw .notANumber(text) }
      // No count has more digits than this, and no fraction needs more.
      exponent = min(Int(digits) ?? 1_000, 1_000) * (sign == "-" ? -1 : 1)
    }

    // The value is `digits · 10^power` with no trailing zeros in `digits`.
    let digits = whole + fraction
    let zeros = digits.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    let power = exponent - fraction.utf8.count + zeros
    let significant = digits.utf8.dropLast(zeros).drop { $0 == UInt8(ascii: "0") }
    if significant.isEmpty {
      value = 0
      return
    }
    if isNegative { throw .negative(text) }
    if power < 0 { throw .notWhole(text) }
    guard power <= 18,
      let value = Int(String(Substring(significant)) + String(repeating: "0", count: power))
    else { throw .tooLarge(text) }
    self.value = value
  }

  /// Returns the count in `text`; nil if it is not a count, or lies outside `range`.
  package static func read(_ text: String, in range: ClosedRange<Int> = 0...Int.max) -> Int? {
    guard let count = try? Count(parsing: text), range.contains(count.value) else { return nil }
    return count.value
  }

  /// Returns the digits of a text of digits with single underscores between them; nil for another text.
  private static func digits(_ text: Substring) -> String? {
    if text.isEmpty { return "" }
    guard text.first != "_", text.last != "_", !text.contains("__"),
      text.allSatisfy({ $0 == "_" || ($0.isASCII && $0.isNumber) })
    else { return nil }
    return text.filter { $0 != "_" }
  }
}
