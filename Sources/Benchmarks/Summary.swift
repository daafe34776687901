/// The median, the minimum and the maximum of some samples.
package struct Summary: Hashable, Codable, Sendable {
  package var median: Double
  package var min: Double
  package var max: Double

  /// Computes the summary of samples.
  ///
  /// - Precondition: There is at least one sample.
  package init(of samples: [Double]) {
    precondition(!samples.isEmpty, "a summary needs a sample")
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    min = sorted[0]
    max = sorted[sorted.count - 1]
  }
}
