/// The random sources that can be selected by name.
///
/// What a kind makes is an existential; pass it to a generic function, which opens it once, so that
/// the code inside is specialised to the source and no draw goes through the existential:
///
/// ```swift
/// func run(with source: some RandomSource) { … }
/// run(with: kind.make(seed: 7))
/// ```
public enum RandomSourceKind: String, CaseIterable, Sendable {
  case xoshiro256 = "xoshiro256++"
  case mersenneTwister64 = "mt19937-64"
  case javaLinearCongruential = "java-lcg48"
  case arc4 = "arc4"

  /// The source used unless another is asked for.
  public static let standard = RandomSourceKind.xoshiro256

  /// The type of source that this kind names.
  public var type: any RandomSource.Type {
    switch self {
    case .xoshiro256: Xoshiro256.self
    case .mersenneTwister64: MersenneTwister64.self
    case .javaLinearCongruential: JavaLinearCongruential.self
    case .arc4: ARC4.self
    }
  }

  /// A source of this kind started from `seed`.
  public func make(seed: UInt64) -> any RandomSource {
    type.init(seed: seed)
  }
}
