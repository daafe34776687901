#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A normal distribution, optionally clamped to a range.
///
/// Each draw uses Marsaglia's polar method and discards the second number that the method yields. The
/// distribution therefore has no state, and saving the source saves everything. The logarithm comes
/// from the C library, so other platforms may differ in the last bit.
///
/// Source: Marsaglia and Bray, "A convenient method for generating normal variables", 1964.
public struct GaussianDistribution: Sendable {
  /// The mean.
  public let mean: Double
  /// The standard deviation, before any clamping.
  public let deviation: Double
  /// The range that numbers are clamped to, or nil if they are unbounded.
  public let range: ClosedRange<Double>?

  /// Creates an unbounded distribution with this mean and standard deviation.
  ///
  /// - Precondition: both are finite, and `deviation` is not negative.
  public init(mean: Double, deviation: Double) {
    precondition(mean.isFinite && deviation.isFinite, "mean and deviation are finite")
    precondition(deviation >= 0, "a deviation is not negative")
    self.mean = mean
    self.deviation = deviation
    range = nil
  }

  /// Creates a distribution around the middle of `range`, whose ends are three standard deviations
  /// away.
  ///
  /// About 1 in 370 numbers would fall outside. They are clamped to the nearer end.
  ///
  /// - Precondition: the ends are finite.
  public init(range: ClosedRange<Double>) {
    let (low, high) = (range.lowerBound, range.upperBound)
    precondition(low.isFinite && high.isFinite, "the ends of a range are finite")
    mean = low / 2 + high / 2
    deviation = high / 6 - low / 6
    self.range = range
  }

  /// Returns the next number.
  public func next(using source: inout some RandomNumberGenerator) -> Double {
    let value = mean + deviation * GaussianDistribution.standard(using: &source)
    guard let range else { return value }
    return min(max(value, range.lowerBound), range.upperBound)
  }

  /// Returns the next number, rounded to the nearest integer.
  ///
  /// - Precondition: the number fits in an `Int`.
  public func nextInteger(using source: inout some RandomNumberGenerator) -> Int {
    Int(next(using: &source).rounded())
  }

  /// Returns a number of mean 0 and standard deviation 1.
  static func standard(using source: inout some RandomNumberGenerator) -> Double {
    while true {
      let x = 2 * UniformDistribution.unit(using: &source) - 1
      let y = 2 * UniformDistribution.unit(using: &source) - 1
      let square = x * x + y * y
      // Accepts points inside the unit circle, except the centre, where the logarithm is infinite.
      if square > 0, square < 1 { return x * (-2 * log(square) / square).squareRoot() }
    }
  }
}
