import Basics
import Foundation

/// A 95 % interval, encoded as `[low, high]`: a rule computed it whose intervals contain the true value in 95 % of cases.
///
/// The bootstrap is such a rule for 8 values or more. Of fewer, its intervals contain the true value less often, and that
/// of a single value is a point, which says nothing.
public struct ConfidenceInterval: Hashable, Sendable {
  public var low: Double
  public var high: Double

  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// Returns Wilson's interval of a probability, given the number of successes in independent trials.
  ///
  /// The interval is `(p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n)`, where p is the share of
  /// successes, n the number of trials and z the 97.5 % quantile of the normal distribution. Without
  /// trials it is 0...1.
  ///
  /// Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
  public static func wilson(successes: Int, trials: Int) -> ConfidenceInterval {
    if trials == 0 { return ConfidenceInterval(low: 0, high: 1) }
    let z = 1.959963984540054
    let n = Double(trials)
    let p = Double(successes) / n
    let centre = p + z * z / (2 * n)
    let spread = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    let scale = 1 + z * z / n
    // If all trials agree, one end is exactly 0 or 1. Rounding must not move it outside of that range.
    return ConfidenceInterval(
      low: successes == 0 ? 0 : max(0, (centre - spread) / scale),
      high: successes == trials ? 1 : min(1, (centre + spread) / scale))
  }
}

extension ConfidenceInterval: Codable {
  public init(from decoder: any Decoder) throws {
    var ends = try decoder.unkeyedContainer()
    low = try ends.decode(Double.self)
    high = try ends.decode(Double.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var ends = encoder.unkeyedContainer()
    try ends.encode(low)
    try ends.encode(high)
  }
}

extension ConfidenceInterval: DocumentValue {
  package static var schema: ValueSchema.Members { ValueSchema.pair }
  package var json: JSONValue { [.number(low), .number(high)] }

  /// The interval as `[low, high]`, in whole numbers.
  package var text: String { "[\(NumberText.grouped(low)), \(NumberText.grouped(high))]" }

  /// Returns the interval as `[low, high]`, with numbers in a format.
  package func text(format: String) -> String {
    String(format: "[\(format), \(format)]", low, high)
  }

  /// Returns a share with this interval, in percent.
  package func percent(_ share: Double, format: String = "%.1f") -> String {
    String(format: format + "%% [%.1f, %.1f]", 100 * share, 100 * low, 100 * high)
  }
}

extension ConfidenceInterval {
  /// Returns Student's interval of the mean of independent values, or nil for fewer than two values.
  ///
  /// The interval is `mean ± t · s / √n`, where s² is the variance estimated from the n values and t the
  /// 97.5 % quantile of Student's distribution with n − 1 degrees of freedom. It is exact for normally
  /// distributed values, even if there are few.
  public static func mean(of values: [Double]) -> ConfidenceInterval? {
    guard let sample = sample(values) else { return nil }
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
    guard let a = sample(a), let b = sample(b) else { return nil }
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

  /// Returns the mean of values, the degrees of freedom, n − 1, and the squared standard error of the mean, s² / n;
  /// nil for fewer than two values.
  private static func sample(
    _ values: [Double]
  ) -> (mean: Double, freedom: Double, squaredError: Double)? {
    guard values.count >= 2 else { return nil }
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, count - 1, squares / (count - 1) / count)
  }
}

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
