import Game2048
import NTupleNetwork
import RandomSources

/// Games that a network has played greedily, move by move, from a fixed seed.
enum RecordedGames {
  static let seed: UInt64 = 2048

  /// The moves of whole games, at least `moves` in all.
  static func record(_ trained: TrainedNetwork, moves: Int) -> [[GreedyMove]] {
    let (network, rules) = (trained.original, trained.rules)
    var source = Xoshiro256(seed: seed)
    var games: [[GreedyMove]] = []
    var count = 0
    repeat {
      var game: [GreedyMove] = []
      var board = rules.startBoard(using: &source)
      while let move = network.greedyMove(from: board, rules: rules) {
        game.append(move)
        board = move.afterstate
        rules.spawn(on: &board, using: &source)
      }
      games.append(game)
      count += game.count
    } while count < moves
    return games
  }

  /// `count` states in which a move is to be made, taken evenly from ten times as many moves.
  static func states(_ network: TrainedNetwork, count: Int) -> [Board] {
    let rules = network.rules
    var source = Xoshiro256(seed: seed)
    let states = record(network, moves: 10 * count).flatMap { game in
      // A new tile on an afterstate gives a state; the last one of a game may have no move.
      game.dropLast().map { move in
        var board = move.afterstate
        rules.spawn(on: &board, using: &source)
        return board
      }
    }.filter { !rules.isOver($0) }
    return (0..<min(count, states.count)).map { states[$0 * states.count / count] }
  }
}
