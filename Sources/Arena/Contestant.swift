import Search

/// A participant of an arena run: a name, and a function that makes a new player for every game.
public struct Contestant: Sendable {
  /// The name in tables and reports.
  public let name: String

  /// Makes the player for one game; called on the thread that plays the game.
  public let makePlayer: @Sendable (_ gameSeed: UInt64) -> any Player

  public init(name: String, makePlayer: @escaping @Sendable (_ gameSeed: UInt64) -> any Player) {
    self.name = name
    self.makePlayer = makePlayer
  }
}
