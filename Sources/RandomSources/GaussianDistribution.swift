#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Numbers around a mean, normally distributed, optionally kept within a range.
///
/// Each draw uses Marsaglia's polar method and gives up the second number that the method yields:
/// the distribution has no state of its own, so saving the source saves everything. The logarithm is
/// the C library's, so that other platforms may differ in the last bit.
///
/// Source: Marsaglia and Bray, "A convenient method for generating normal variables", 1964.
public struct GaussianDistribution: Sendable {
  public let mean: Double
  /// The standard deviation, before any clamping.
  public let deviation: Double
  /// The range that numbers are clamped to: one outside becomes the nearer end.
  public let range: ClosedRange<Double>?

  /// Numbers with this mean and standard deviation, unbounded.
  ///
  /// - Precondition: both are finite, and `deviation` is not negative.
  public init(mean: Double, deviation: Double) {
    precondition(mean.isFinite && deviation.isFinite, "mean and deviation are finite")
    precondition(deviation >= 0, "a deviation is not negative")
    self.mean = mean
    self.deviation = deviation
    range = nil
  }

  /// Numbers around the middle of `range`, whose ends lie three standard deviations away.
  ///
  /// About 1 in 370 numbers would fall outside; they are clamped to the nearer end.
  ///
  /// - Precondition: the ends are finite.
  public init(range: ClosedRange<Double>) {
    let (low, high) = (range.lowerBound, range.upperBound)
    precondition(low.isFinite && high.isFinite, "the ends of a range are finite")
    mean = low / 2 + high / 2
    deviation = high / 6 - low / 6
    self.range = range
  }

  /// The next number.
  public func next(using source: inout some RandomNumberGenerator) -> Double {
    let value = mean + deviation * GaussianDistribution.standard(using: &source)
    guard let range else { return value }
    return min(max(value, range.lowerBound), range.upperBound)
  }

  /// The next number, rounded to the nearest whole one.
  ///
  /// - Precondition: the number fits in an `Int`.
  public func nextInteger(using source: inout some RandomNumberGenerator) -> Int {
    Int(next(using: &source).rounded())
  }

  /// A number of mean 0 and standard deviation 1.
  static func standard(using source: inout some RandomNumberGenerator) -> Double {
    while true {
      let x = 2 * UniformDistribution.unit(using: &source) - 1
      let y = 2 * UniformDistribution.unit(using: &source) - 1
      let square = x * x + y * y
      // A point within the unit circle, and not its centre, whose logarithm is infinite.
      if square > 0, square < 1 { return x * (-2 * log(square) / square).squareRoot() }
    }
  }
}
