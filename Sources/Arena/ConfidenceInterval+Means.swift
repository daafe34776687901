extension ConfidenceInterval {
  /// Student's interval of the mean of independent values: `mean ± t · s / √n`, with s² the variance
  /// estimated from the n values and t the 97.5 % quantile of n − 1 degrees of freedom.
  ///
  /// It is exact for normal values, however few. Nil for fewer than two.
  public static func mean(of values: [Double]) -> ConfidenceInterval? {
    guard let sample = Sample(values) else { return nil }
    return around(sample.mean, sample.squaredError.squareRoot(), freedom: sample.freedom)
  }

  /// Welch's interval of mean(a) − mean(b), of independent samples whose variances may differ.
  ///
  /// Nil if one of them has fewer than two values.
  ///
  /// Source: Welch, "The generalization of 'Student's' problem when several different population
  /// variances are involved", 1947.
  public static func difference(
    ofMeans a: [Double], _ b: [Double]
  ) -> ConfidenceInterval? {
    guard let a = Sample(a), let b = Sample(b) else { return nil }
    let sum = a.squaredError + b.squaredError
    let parts = [a, b].map { $0.squaredError * $0.squaredError / $0.freedom }
    // Without any variance the interval is a point, whatever the degrees of freedom.
    let freedom = sum > 0 ? sum * sum / (parts[0] + parts[1]) : 1
    return around(a.mean - b.mean, sum.squareRoot(), freedom: freedom)
  }

  private static func around(
    _ centre: Double, _ error: Double, freedom: Double
  ) -> ConfidenceInterval {
    let margin = StudentDistribution(freedom: freedom).quantile(0.975) * error
    return ConfidenceInterval(low: centre - margin, high: centre + margin)
  }

  /// What intervals take of a sample.
  private struct Sample {
    let mean: Double
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
