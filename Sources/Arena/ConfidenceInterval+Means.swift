extension ConfidenceInterval {
  /// Returns Student's interval of the mean of independent values, or nil for fewer than two values.
  ///
  /// The interval is `mean ± t · s / √n`, where s² is the variance estimated from the n values and t the
  /// 97.5 % quantile of Student's distribution with n − 1 degrees of freedom. It is exact for normally
  /// distributed values, even if there are few.
  public static func mean(of values: [Double]) -> ConfidenceInterval? {
    guard let sample = Sample(values) else { return nil }
    return around(sample.mean, sample.squaredError.squareRoot(), freedom: sample.freedom)
  }

  /// Returns Welch's interval of mean(a) − mean(b), or nil if a sample has fewer than two values.
  ///
  /// The samples are independent, and their variances may differ.
  ///
  /// Source: Welch, "The generalization of 'Student's' problem when several different population
  /// variances are involved", 1947.
  public static func difference(
    ofMeans a: [Double], _ b: [Double]
  ) -> ConfidenceInterval? {
    guard let a = Sample(a), let b = Sample(b) else { return nil }
    let sum = a.squaredError + b.squaredError
    let parts = [a, b].map { $0.squaredError * $0.squaredError / $0.freedom }
    // Without variance the interval is a point for any degrees of freedom.
    let freedom = sum > 0 ? sum * sum / (parts[0] + parts[1]) : 1
    return around(a.mean - b.mean, sum.squareRoot(), freedom: freedom)
  }

  private static func around(
    _ centre: Double, _ error: Double, freedom: Double
  ) -> ConfidenceInterval {
    let margin = StudentDistribution(freedom: freedom).quantile(0.975) * error
    return ConfidenceInterval(low: centre - margin, high: centre + margin)
  }

  /// The statistics of a sample from which intervals are computed.
  private struct Sample {
    let mean: Double
    /// The degrees of freedom, n − 1.
    let freedom: Double
    /// The squared standard error of the mean, s² / n.
    let squaredError: Double

    init?(_ values: [Double]) {
      guard values.count >= 2 else { return nil }
      let (count, mean) = (Double(values.count), values.reduce(0, +) / Double(values.count))
      self.mean = mean
      freedom = count - 1
      squaredError =
        values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / freedom / count
    }
  }
}
