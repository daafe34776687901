import ArgumentParser

/// The value of an option that is a list of counts separated by commas.
struct CountList {
  let values: [Int]

  /// One thread, and one thread per core.
  static var threads: CountList { CountList(values: coreCount > 1 ? [1, coreCount] : [1]) }
}

/// Reads a list of counts of at least 1, such as `16,64,256`.
func positiveCounts(_ text: String) throws -> CountList { try counts(text, positiveCount) }

/// Reads a list of numbers of threads.
func threadCounts(_ text: String) throws -> CountList { try counts(text, threadCount) }

private func counts(_ text: String, _ read: (String) throws -> Int) throws -> CountList {
  CountList(
    values: try text.split(separator: ",", omittingEmptySubsequences: false).map {
      try read(String($0))
    })
}

extension CountList: CustomStringConvertible {
  var description: String { values.map(String.init).joined(separator: ",") }
}
