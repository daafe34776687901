import Arena

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
    median = samples.median
    min = samples.min()!
    max = samples.max()!
  }
}
