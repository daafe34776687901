import Basics

/// The problems of a configuration or plan that are reported together.
///
/// A file may have any number of problems, and quote any text. The first ones are kept, shortened, and the
/// others are counted.
package struct ProblemList {
  /// The number of problems that are kept.
  private static let most = 50

  private var kept: [String] = []
  private var further = 0

  package init() {}

  package var isEmpty: Bool { kept.isEmpty }

  /// The lines of the report.
  package var lines: [String] {
    further == 0 ? kept : kept + ["… and \(further) further problems."]
  }

  /// Adds a problem, whose text is computed only if it is kept.
  package mutating func append(_ problem: @autoclosure () -> String) {
    guard kept.count < ProblemList.most else {
      further += 1
      return
    }
    kept.append(problem().shortened.printable())
  }

  /// Adds problems that are not in the list yet.
  package mutating func append(contentsOf problems: some Sequence<String>) {
    for problem in problems where !kept.contains(problem) { append(problem) }
  }
}
