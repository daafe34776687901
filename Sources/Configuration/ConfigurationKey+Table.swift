extension ConfigurationKey {
  /// The reference of all keys as a Markdown table.
  public static var markdownTable: String {
    let rows = all.map { key in
      "| `\(key.path)` | \(key.defaultText == "[]" ? "" : "`\(key.defaultText)`") "
        + "| \(key.allowed) | \(key.summary) |"
    }
    return (["| key | default | allowed | meaning |", "|---|---|---|---|"] + rows)
      .joined(separator: "\n")
  }
}
