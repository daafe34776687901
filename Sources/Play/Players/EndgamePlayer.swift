import EndgameTables
import Game2048
import Search
import Synchronization

/// The number of late boards of the games of a player, and of those that a table played.
package final class TableCounter: Sendable {
  private let boards = Atomic<Int>(0)
  private let answers = Atomic<Int>(0)

  package var counts: (boards: Int, answers: Int) {
    (boards.load(ordering: .relaxed), answers.load(ordering: .relaxed))
  }

  func count(isAnswered: Bool) {
    boards.add(1, ordering: .relaxed)
    if isAnswered { answers.add(1, ordering: .relaxed) }
  }
}

/// A player that plays like another one until a large tile is made, and from then on by tables of chains.
///
/// Where the tables have no move, it plays the move of a search.
struct EndgamePlayer: Player {
  let name: String
  /// The player of the first part of the game.
  var before: any Player
  /// The exponent of the tile from which on the tables lead.
  let handoverExponent: Int
  let tables: ChainTables
  /// The player of late boards without a move from the tables.
  var search: any Player
  /// Counts the boards that the tables play.
  let counter: TableCounter
  /// The bank of both searches; nil if they do not save time.
  let bank: TimeBank?
  let rules: Rules

  /// The searches of late boards over which savings are spread: those of some 3,000 moves.
  static let horizon: Int64 = 1024
  /// The exponent from which on late boards are downgraded before a search: that of 65536.
  ///
  /// Boards with such a tile are slow to search. Besides, cornerChain values a lost game well above a board on which the
  /// tile is out of order.
  static let downgradeExponent = 16

  /// Returns whether the tables and their search play the board.
  private func isLate(_ board: Board) -> Bool { board.largestTileExponent >= handoverExponent }

  mutating func chooseMove(from board: Board) -> Direction? {
    guard isLate(board) else { return before.chooseMove(from: board) }
    guard let lead = lead(on: board) else { return search.chooseMove(from: board) }
    return lead.move
  }

  /// Returns the decision of whoever chooses. If a table does, the values are probabilities of the chain.
  mutating func decide(on board: Board) -> Decision {
    guard isLate(board) else { return before.decide(on: board) }
    guard let lead = lead(on: board) else { return search.decide(on: board) }
    return Decision(
      moves: MoveEvaluation.all(from: board, rules: rules) { move, _, _ in
        lead.probabilities[move.rawValue]
      },
      best: lead.move, isFromTable: true)
  }

  /// Returns the move of the tables, whose time goes to later searches.
  private func lead(on board: Board) -> ChainTables.Lead? {
    let lead = tables.lead(on: board, rules: rules)
    counter.count(isAnswered: lead != nil)
    if lead != nil { bank?.skip(board) }
    return lead
  }
}
