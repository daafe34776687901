/// Returns the name that a misspelt one was probably meant to be; nil if none is close.
///
/// It is the nearest by edits (insertions, deletions, replacements and exchanges of neighbours), ignoring
/// case. At most a third of the longer name's letters may differ, and one of two or more always may. Of
/// equally near names the first wins.
package func nearestName(to text: String, in names: [String]) -> String? {
  let near = names.map {
    (name: $0, edits: editDistance(text.lowercased(), $0.lowercased()))
  }
  guard let name = near.min(by: { $0.edits < $1.edits })?.name else { return nil }
  let edits = editDistance(text.lowercased(), name.lowercased())
  let length = max(text.count, name.count)
  return edits <= max(1, length / 3) && edits < length ? name : nil
}

/// Returns the question `Did you mean 'NAME'?` after a space for a misspelt name; empty if none is close.
package func suggestion(for text: String, in names: [String]) -> String {
  nearestName(to: text, in: names).map { " Did you mean '\($0)'?" } ?? ""
}

/// Returns the least number of edits between two texts.
///
/// - Complexity: O(*n*·*m*) for texts of *n* and *m* characters.
///
/// Source: the optimal string alignment form of Damerau, "A technique for computer detection and
/// correction of spelling errors", 1964.
func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a)
  let b = Array(b)
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        best = min(best, beforeLast[j - 1] + 1)
      }
      row.append(best)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
