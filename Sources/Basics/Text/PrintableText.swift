extension String {
  /// Returns the text with the characters that steer a terminal as escapes such as `\u001B`.
  ///
  /// These are the control characters except tabs, and those that change the direction of text or end a line.
  /// The escapes are those of JSON, so that a JSON document keeps its meaning.
  ///
  /// - Parameter keepsLines: Whether newlines stay as they are.
  package func printable(keepsLines: Bool = false) -> String {
    func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x09: true
      case 0x0A: keepsLines
      case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: false
      default: true
      }
    }
    guard !unicodeScalars.allSatisfy(isPrintable) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if isPrintable(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return text
  }

  /// Returns the text without its middle if it is long, so that a message stays readable.
  package var shortened: String {
    let most = 1_000
    guard unicodeScalars.count > most else { return self }
    let left = unicodeScalars.count - most
    return String(unicodeScalars.prefix(most * 3 / 4)) + " … (\(left) characters) … "
      + String(unicodeScalars.suffix(most / 4))
  }
}

/// Returns a number of bytes for people, such as `256 MiB`; exact below 10 KiB.
package func byteText(_ bytes: Int) -> String {
  let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
  guard bytes >= 10 << 10 else {
    return bytes == 1 ? "1 byte" : "\(NumberText.grouped(bytes)) bytes"
  }
  var value = Double(bytes) / 1024
  var unit = 0
  while value >= 1024, unit + 1 < units.count {
    value /= 1024
    unit += 1
  }
  let tenths = Int((value * 10).rounded())
  return tenths >= 1000 || tenths % 10 == 0
    ? "\((tenths + 5) / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
}
