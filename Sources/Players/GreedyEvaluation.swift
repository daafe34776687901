import Arena
import Search
import Training

/// The evaluations that a training run makes of itself.
package enum GreedyEvaluation {
  /// Plays the games greedily, without learning.
  ///
  /// - Returns: nil if the games were stopped before the last one.
  package static func play(_ games: EvaluationGames) -> TrainingReport.Evaluation? {
    let contestant = Contestant(name: "learned") { _ in
      GreedyNetworkPlayer(network: games.network, rules: games.rules)
    }
    let report = ArenaReport(
      Arena.run(
        contestants: [contestant], games: games.count, seed: games.seed, threads: games.threads,
        rules: games.rules, shouldStop: games.shouldStop))
    guard report.games == games.count else { return nil }
    let score = report.players[0].score
    return TrainingReport.Evaluation(
      games: report.games, meanScore: score.mean, ci95: score.ci95.low...score.ci95.high)
  }
}
