/// Whole numbers of a range, each equally likely.
///
/// A draw of 64 bits is scaled to the range by a multiplication, and the few draws that would make
/// some numbers likelier than others are drawn again, so that there is no bias.
///
/// Source: Lemire, "Fast random integer generation in an interval", 2019.
public struct UniformDistribution: Sendable {
  /// The numbers that can occur.
  public let range: ClosedRange<Int>

  public init(_ range: ClosedRange<Int>) {
    self.range = range
  }

  /// The next number.
  ///
  /// - Complexity: O(1) expected; one draw nearly always for ranges that are small against 2^64.
  @inlinable
  public func next(using source: inout some RandomNumberGenerator) -> Int {
    let span = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound))
    if span == .max { return Int(truncatingIfNeeded: source.next()) }
    let offset = UniformDistribution.below(span + 1, using: &source)
    return range.lowerBound &+ Int(truncatingIfNeeded: offset)
  }

  /// A number from 0 to below `count`.
  ///
  /// - Precondition: `count` is not 0.
  @inlinable
  static func below(_ count: UInt64, using source: inout some RandomNumberGenerator) -> UInt64 {
    var product = source.next().multipliedFullWidth(by: count)
    if product.low < count {
      // 2^64 mod count of the draws are too many.
      let excess = (0 &- count) % count
      while product.low < excess { product = source.next().multipliedFullWidth(by: count) }
    }
    return product.high
  }

  /// A number from 0 to below 1, one of 2^53 that are equally likely and equally far apart.
  @inlinable
  public static func unit(using source: inout some RandomNumberGenerator) -> Double {
    Double(source.next() >> 11) * 0x1p-53
  }
}
