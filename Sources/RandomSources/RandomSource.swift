/// A seedable random source whose state can be saved and restored.
public protocol RandomSource: RandomNumberGenerator, Sendable {
  /// The name in configurations.
  static var name: String { get }

  /// Creates a source from `seed`. Equal seeds give equal sequences.
  init(seed: UInt64)

  /// The complete state, from which ``init(state:)`` continues the same sequence.
  var state: [UInt64] { get }

  /// Restores a source from its state, or returns nil if `state` is not valid.
  init?(state: [UInt64])
}
