/// Lines of comma-separated values. Fields that contain a comma, a quotation mark or a line break are quoted.
///
/// Source: RFC 4180.
package enum CommaSeparatedValues {
  /// Returns a text as a field.
  package static func field(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// Returns the fields of a record, which may contain line breaks; nil if its quotation marks are wrong.
  package static func fields(of record: String) -> [String]? {
    var fields: [String] = []
    var rest = record[...]
    while true {
      var field = ""
      if rest.first == "\"" {
        rest.removeFirst()
        while true {
          guard let quote = rest.firstIndex(of: "\"") else { return nil }
          field += rest[..<quote]
          rest = rest[rest.index(after: quote)...]
          guard rest.first == "\"" else { break }
          field += "\""
          rest.removeFirst()
        }
      } else {
        field = String(rest.prefix { $0 != "," })
        guard !field.contains("\"") else { return nil }
        rest = rest[rest.index(rest.startIndex, offsetBy: field.count)...]
      }
      fields.append(field)
      guard let separator = rest.popFirst() else { return fields }
      guard separator == "," else { return nil }
    }
  }
}
