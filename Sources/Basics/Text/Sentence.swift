/// Joins the parts of a sentence and adds a full stop, unless it ends with a mark already.
package func sentence(_ parts: String...) -> String {
  let text = parts.joined()
  return text.last.map { ".?!:".contains($0) } ?? true ? text : text + "."
}

/// Returns a text with a capital first letter, unless its first word is a name, such as `config.json`.
package func capitalised(_ text: String) -> String {
  let word = text.prefix { $0 != " " }
  let letters = word.last.map { ",:;.".contains($0) } == true ? word.dropLast() : word
  guard let first = text.first, letters.allSatisfy({ $0.isLowercase || $0 == "'" }) else {
    return text
  }
  return first.uppercased() + text.dropFirst()
}
