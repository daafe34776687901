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
