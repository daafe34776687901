/// The name that a misspelt one was probably meant to be, or nil if none is close.
///
/// The nearest by edits (insertions, deletions, replacements and exchanges of neighbours), letters
/// compared without regard to case; at most a third of the longer name's letters may differ, and one
/// of two or more always may. Of equally near names the first wins.
package func nearestName(to text: String, in names: [String]) -> String? {
  guard let name = closestName(to: text, in: names) else { return nil }
  let edits = editDistance(text.lowercased(), name.lowercased())
  let length = max(text.count, name.count)
  return edits <= max(1, length / 3) && edits < length ? name : nil
}

/// The nearest name by edits, however far it is; nil only if there are no names.
package func closestName(to text: String, in names: [String]) -> String? {
  names.map { (name: $0, edits: editDistance(text.lowercased(), $0.lowercased())) }
    .min { $0.edits < $1.edits }?.name
}

/// The least number of edits between two texts, in time proportional to the product of their lengths.
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
