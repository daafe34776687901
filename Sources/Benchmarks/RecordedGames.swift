import Configuration
import Game2048
import NTupleNetwork
import RandomSources
import SelfPlay
import TDLearning

/// Records greedy games of a network from a fixed seed.
enum RecordedGames {
  static let seed: UInt64 = 2048

  /// Returns the moves of complete games with at least `moves` moves in total.
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

  /// A learner that only records the moves of episodes.
  private struct Recorder: EpisodeLearner {
    private(set) var games: [[GreedyMove]] = []
    private var moves: [GreedyMove] = []

    mutating func observe(_ move: GreedyMove) { moves.append(move) }

    mutating func finishEpisode() {
      games.append(moves)
      moves = []
    }
  }

  /// Returns `count` states with a legal move, evenly spaced among ten times as many moves.
  static func states(_ network: TrainedNetwork, count: Int) -> [Board] {
    let rules = network.rules
    var source = Xoshiro256(seed: seed)
    let states = record(network, moves: 10 * count).flatMap { game in
      // A spawn turns an afterstate into a state. After the last move of a game there may be no legal move.
      game.dropLast().map { move in
        var board = move.afterstate
        rules.spawn(on: &board, using: &source)
        return board
      }
    }.filter { !rules.isOver($0) }
    return (0..<min(count, states.count)).map { states[$0 * states.count / count] }
  }
}
