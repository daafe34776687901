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
