/// A uniform distribution over the integers of a range.
///
/// A multiplication scales a draw of 64 bits to the range. The few draws that would make some integers
/// more likely than others are repeated, so the result is unbiased.
///
/// Source: Lemire, "Fast random integer generation in an interval", 2019.
public struct UniformDistribution: Sendable {
  /// The integers that can occur.
  public let range: ClosedRange<Int>

  /// Creates a distribution over `range`.
  public init(_ range: ClosedRange<Int>) {
    self.range = range
  }

  /// Returns the next integer.
  ///
  /// - Complexity: O(1) expected. Ranges that are small compared with 2^64 nearly always need one draw.
  @inlinable
  public func next(using source: inout some RandomNumberGenerator) -> Int {
    let span = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound))
    if span == .max { return Int(truncatingIfNeeded: source.next()) }
    let offset = UniformDistribution.below(span + 1, using: &source)
    return range.lowerBound &+ Int(truncatingIfNeeded: offset)
  }

  /// Returns an integer in `0..<count`.
  ///
  /// - Precondition: `count` is not 0.
  @inlinable
  static func below(_ count: UInt64, using source: inout some RandomNumberGenerator) -> UInt64 {
    var product = source.next().multipliedFullWidth(by: count)
    if product.low < count {
      // Of all 2^64 draws, 2^64 mod count are in excess of a multiple of count.
      let excess = (0 &- count) % count
      while product.low < excess { product = source.next().multipliedFullWidth(by: count) }
    }
    return product.high
  }

  /// Returns one of 2^53 equally likely and evenly spaced numbers in `0..<1`.
  @inlinable
  public static func unit(using source: inout some RandomNumberGenerator) -> Double {
    Double(source.next() >> 11) * 0x1p-53
  }
}
