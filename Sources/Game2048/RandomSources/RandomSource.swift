/// A seedable random source whose state can be saved and restored.
public protocol RandomSource: RandomNumberGenerator, Sendable {
  /// Creates a source from `seed`. Equal seeds give equal sequences.
  init(seed: UInt64)

  /// The complete state, from which ``init(state:)`` continues the same sequence.
  var state: [UInt64] { get }

  /// Restores a source from its state, or returns nil if `state` is not valid.
  init?(state: [UInt64])
}

/// A random source that can be selected by name.
///
/// ``make(seed:)`` returns an existential. Pass it to a generic function, which opens it once, so that
/// the code inside is specialised for the source and no draw goes through the existential:
///
/// ```swift
/// func run(with source: some RandomSource) { … }
/// run(with: kind.make(seed: 7))
/// ```
public enum RandomSourceKind: String, CaseIterable, Sendable {
  /// ``Xoshiro256``.
  case xoshiro256 = "xoshiro256++"
  /// ``MersenneTwister64``.
  case mersenneTwister64 = "mt19937-64"
  /// ``JavaLinearCongruential``.
  case javaLinearCongruential = "java-lcg48"
  /// ``ARC4``.
  case arc4 = "arc4"

  /// The default source.
  public static let standard = RandomSourceKind.xoshiro256

  /// The type of the source.
  public var type: any RandomSource.Type {
    switch self {
    case .xoshiro256: Xoshiro256.self
    case .mersenneTwister64: MersenneTwister64.self
    case .javaLinearCongruential: JavaLinearCongruential.self
    case .arc4: ARC4.self
    }
  }

  /// Returns a source of this kind, created from `seed`.
  public func make(seed: UInt64) -> any RandomSource {
    type.init(seed: seed)
  }
}

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
