import Configuration
import Game2048
import NTupleNetwork
import RandomSources
import SelfPlay
import TDLearning

extension TrainedNetwork {
  /// Returns the moves of complete greedy games from a fixed seed, with at least `moves` moves in total.
  package func recordedGames(moves: Int) -> [[GreedyMove]] {
    var game = SelfPlayGame(
      network: original, rules: rules, learner: Recorder(),
      starts: EpisodeStarts(TrainingConfiguration().startSettings), source: Xoshiro256(seed: 2048))
    var count = 0
    repeat {
      var remaining = Int.max
      count += game.play(&remaining, start: .opening)?.moves ?? 0
    } while count < moves
    return game.learner.games
  }

  /// Returns `count` states with a legal move, evenly spaced among ten times as many recorded moves.
  package func recordedStates(count: Int) -> [Board] {
    var source = Xoshiro256(seed: 2048)
    let states = recordedGames(moves: 10 * count).flatMap { game in
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
