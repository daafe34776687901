import Game2048

/// The boards from which numbered games are played.
public struct StartBoards: Hashable, Sendable {
  /// The boards; empty for whole games.
  public let boards: [Board]
  /// Whether each game draws its board, instead of the games taking the boards in turn.
  ///
  /// A ``StoppingRule`` requires it, because the boards of a file may come in any order, such as the easy ones first.
  /// Games from drawn boards are independent, and each is won with the same probability.
  public let areDrawn: Bool

  /// No boards: whole games.
  public static let none = StartBoards([])

  public init(_ boards: [Board], areDrawn: Bool = false) {
    self.boards = boards
    self.areDrawn = areDrawn
  }

  /// Returns the board of a game, which is the same for all players; nil for a whole game.
  ///
  /// - Parameters:
  ///   - game: The number of the game, from 0.
  ///   - seed: The seed of the spawns.
  public func board(ofGame game: Int, seed: UInt64) -> Board? {
    if boards.isEmpty { return nil }
    return boards[
      areDrawn ? GameSpawns(seed: seed, game: game).draw(below: boards.count) : game % boards.count]
  }
}
