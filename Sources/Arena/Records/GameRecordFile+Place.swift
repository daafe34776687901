import Basics

/// A game that is not in a file of recorded games.
public enum MissingGame: Error, CustomStringConvertible {
  /// The file has no player of this name, but the others.
  case player(String, known: [String])
  /// The last game of the player has a smaller number.
  case game(Int, last: Int)

  /// What is missing, and what there is, in sentences.
  public var description: String {
    switch self {
    case .player(let name, let known):
      "no games of '\(name)'. Players: \(known.joined(separator: ", "))."
    case .game(let number, let last):
      "no game \(NumberText.grouped(number)). The last is \(NumberText.grouped(last))."
    }
  }
}

extension GameRecordFile {
  /// Returns the indices of a player and of a game.
  ///
  /// - Parameters:
  ///   - number: The number of the game, from 1.
  ///   - player: The name of the player; nil for the first.
  /// - Throws: ``MissingGame`` if there is none.
  public func place(
    ofGame number: Int, player: String?
  ) throws(MissingGame) -> (player: Int, game: Int) {
    let names = header.players
    guard let place = player.map({ names.firstIndex(of: $0) }) ?? 0 else {
      throw .player(player ?? "", known: names)
    }
    let last = entries[place].count
    guard number >= 1, number <= last else { throw .game(number, last: last) }
    return (place, number - 1)
  }
}
