/// A seedable random source whose state can be saved and restored.
public protocol RandomSource: RandomNumberGenerator, Sendable {
  /// The name that selects it in a config.
  static var name: String { get }

  /// A source started from `seed`. Equal seeds give equal sequences.
  init(seed: UInt64)

  /// The whole state, from which ``init(state:)`` goes on with the same sequence.
  var state: [UInt64] { get }

  /// A source that goes on from a saved state, or nil if `state` cannot be one.
  init?(state: [UInt64])
}
