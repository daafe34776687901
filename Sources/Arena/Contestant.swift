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
}
