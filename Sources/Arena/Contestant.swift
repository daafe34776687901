import Search

/// A participant of an arena run: a name, and a function that makes a new player for every game.
public struct Contestant: Sendable {
  /// The name in tables and reports.
  public let name: String
  /// The checksum of the weights of its network; nil without one.
  public let weights: String?

  /// Makes the player for one game; called on the thread that plays the game.
  public let makePlayer: @Sendable (_ gameSeed: UInt64) -> any Player

  public init(
    name: String, weights: String? = nil,
    makePlayer: @escaping @Sendable (_ gameSeed: UInt64) -> any Player
  ) {
    self.name = name
    self.weights = weights
    self.makePlayer = makePlayer
  }
}
