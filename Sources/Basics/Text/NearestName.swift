/// Returns the name that a misspelt one was probably meant to be; nil if none is close.
///
/// It is the nearest by edits (insertions, deletions, replacements and exchanges of neighbours), ignoring
/// case. At most a third of the longer name's letters may differ, and one of two or more always may. Of
/// equally near names the first wins.
package func nearestName(to text: String, in names: [String]) -> String? {
  let length = text.count
  let lowercased = text.lowercased()
  // A name whose length differs by more is not close. So a long text costs nothing.
  let near = names.filter { abs($0.count - length) <= mostEdits(length, $0.count) }.map {
    (name: $0, edits: editDistance(lowercased, $0.lowercased()))
  }
  guard let (name, edits) = near.min(by: { $0.edits < $1.edits }) else { return nil }
  return edits <= mostEdits(length, name.count) && edits < max(length, name.count) ? name : nil
}

/// Returns the number of edits up to which texts of these lengths are close.
private func mostEdits(_ a: Int, _ b: Int) -> Int { max(1, max(a, b) / 3) }

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
