import Configuration
import Game2048
import NTupleNetwork
import RandomSources
import SelfPlay
import TDLearning

/// Games that a network has played greedily, move by move, from a fixed seed.
enum RecordedGames {
  static let seed: UInt64 = 2048

  /// The moves of whole games, at least `moves` in all.
  static func record(_ trained: TrainedNetwork, moves: Int) -> [[GreedyMove]] {
    var game = SelfPlayGame(
      network: trained.original, rules: trained.rules, learner: Recorder(),
      starts: EpisodeStarts(TrainingConfiguration().startSettings), source: Xoshiro256(seed: seed))
    var count = 0
    repeat {
      var remaining = Int.max
      count += game.play(&remaining, start: .opening)?.moves ?? 0
    } while count < moves
    return game.learner.games
  }

  /// Writes down what a learner would learn from.
  private struct Recorder: EpisodeLearner {
    private(set) var games: [[GreedyMove]] = []
    private var moves: [GreedyMove] = []

    mutating func observe(_ move: GreedyMove) { moves.append(move) }

    mutating func finishEpisode() {
      games.append(moves)
      moves = []
    }
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
