import Game2048

/// A player that searches, and tells how much.
public protocol SearchingPlayer: Player {
  /// Searches a board, as it does to choose a move.
  func search(_ board: Board) -> SearchResult
}

extension SearchingPlayer {
  /// Searches boards one after the other, as the moves of a game: what benchmarks measure.
  ///
  /// - Returns: the moves chosen, and the nodes of all searches.
  public func searchAll(_ boards: [Board]) -> (moves: [Direction?], nodes: Int) {
    var moves: [Direction?] = []
    moves.reserveCapacity(boards.count)
    var nodes = 0
    for board in boards {
      let result = search(board)
      moves.append(result.best)
      nodes += result.nodes
    }
    return (moves, nodes)
  }
}
