import Foundation

/// Student's t distribution: the distribution of the deviation of a mean of normally distributed values,
/// in estimated standard errors.
struct StudentDistribution: Sendable {
  /// The degrees of freedom ν; not necessarily an integer.
  let freedom: Double

  /// Creates a distribution.
  ///
  /// - Precondition: `freedom` is above 0.
  init(freedom: Double) {
    precondition(freedom > 0, "a t distribution has degrees of freedom")
    self.freedom = freedom
  }

  /// Returns the probability that a value is at most `t`.
  ///
  /// P(T ≤ t) = 1 − I_x(ν/2, 1/2) / 2 for t ≥ 0, where x = ν / (ν + t²) and I is the regularised incomplete
  /// beta function.
  ///
  /// Source: Abramowitz and Stegun, "Handbook of mathematical functions", 26.7.1.
  func probability(upTo t: Double) -> Double {
    let tail = regularisedBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
    return t < 0 ? tail : 1 - tail
  }

  /// Returns the t with P(T ≤ t) = `probability`, computed by bisection to full precision.
  ///
  /// - Precondition: `probability` is in 0.5..<1.
  func quantile(_ probability: Double) -> Double {
    precondition(probability >= 0.5 && probability < 1, "a quantile of the upper half")
    var (low, high) = (0.0, 1.0)
    while self.probability(upTo: high) < probability { (low, high) = (high, 2 * high) }
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if self.probability(upTo: middle) < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

/// Returns I_x(a, b), computed from the continued fraction of the incomplete beta function, last term first.
///
/// Source: Abramowitz and Stegun, 26.5.8.
private func regularisedBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
  if x <= 0 { return 0 }
  if x >= 1 { return 1 }
  // The fraction converges fast for x below the mean; otherwise use I_x(a, b) = 1 − I_{1−x}(b, a).
  if x > (a + 1) / (a + b + 2) { return 1 - regularisedBeta(1 - x, b, a) }
  var fraction = 1.0
  for term in stride(from: 200, through: 1, by: -1) {
    let m = Double(term / 2)
    let coefficient =
      term % 2 == 0
      ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    fraction = 1 + coefficient / fraction
  }
  let logBeta = lgamma(a) + lgamma(b) - lgamma(a + b)
  return exp(a * log(x) + b * log1p(-x) - logBeta) / (a * fraction)
}
