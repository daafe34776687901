/// An interval that contains the true value in 95 % of cases, encoded as `[low, high]`.
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
