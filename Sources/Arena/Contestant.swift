import Game2048
import NTupleNetwork
import Search

/// Someone who plays in the arena: a name, and a fresh player for every game.
public struct Contestant: Sendable {
  /// What tables and reports call it.
  public let name: String

  /// Makes the player of one game. It is called on the thread that plays the game.
  public let makePlayer: @Sendable (_ gameSeed: UInt64) -> any Player

  public init(name: String, makePlayer: @escaping @Sendable (_ gameSeed: UInt64) -> any Player) {
    self.name = name
    self.makePlayer = makePlayer
  }

  /// The player that a `PLAYER` text means.
  ///
  /// - Parameters:
  ///   - name: what to call it; nil for the specification's own text.
  ///   - loadModel: see ``PlayerSpecification/makeFactory(rules:loadModel:)``.
  /// - Throws: what `loadModel` throws.
  public init(
    _ specification: PlayerSpecification, name: String? = nil, rules: Rules = .standard,
    loadModel: (String?) throws -> NTupleNetwork
  ) throws {
    self.init(
      name: name ?? specification.description,
      makePlayer: try specification.makeFactory(rules: rules, loadModel: loadModel))
  }
}
