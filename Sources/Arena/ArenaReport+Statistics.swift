import Game2048

extension ArenaReport {
  /// Computes the statistics of a run; all of them are 0 if it has no games.
  ///
  /// - Complexity: O(bootstrap resamples · games · players): a tenth of a second for 10,000 games
  ///   of two players.
  public init(_ result: ArenaResult) {
    let scores = result.results.map { $0.map { Double($0.score) } }
    let bootstrap = result.games > 0 ? PairedBootstrap(scores) : nil
    let exponents = ArenaReport.reportedExponents(result)
    games = result.games
    seed = result.seed
    players = result.contestants.indices.map { index in
      Player(
        name: result.contestants[index], results: result.results[index], exponents: exponents,
        meanInterval: bootstrap?.intervalOfMean(index) ?? .zero)
    }
    comparisons = []
    for a in players.indices {
      for b in players.indices where b > a {
        let (meanA, meanB) = (players[a].score.mean, players[b].score.mean)
        comparisons.append(
          Comparison(
            a: players[a].name, b: players[b].name, meanDifference: meanA - meanB,
            ci95: bootstrap?.intervalOfDifference(a, b) ?? .zero,
            ratio: meanB == 0 ? nil : meanA / meanB,
            ratioCi95: bootstrap?.intervalOfRatio(a, b)))
      }
    }
    sequential = result.stopping.map { rule in
      Sequential(
        errorRate: rule.errorRate,
        decisions: rule.decisions.map { decision in
          Sequential.Decision(
            a: result.contestants[decision.a], b: result.contestants[decision.b],
            better: decision.better.map { result.contestants[$0] }, games: decision.games)
        })
    }
  }

  /// Returns the exponents of the tiles whose rates are reported for every player: from the smallest to the
  /// largest one with which a game ended, extended to 2048.
  private static func reportedExponents(_ result: ArenaResult) -> ClosedRange<Int> {
    let winning = GameSession.winningExponent
    let largest = result.results.joined().map(\.largestExponent)
    return min(largest.min() ?? winning, winning)...max(largest.max() ?? winning, winning)
  }
}

extension ArenaReport.Player {
  /// Computes the statistics of one contestant.
  init(
    name: String, results: [GameResult], exponents: ClosedRange<Int>,
    meanInterval: ConfidenceInterval
  ) {
    let scores = results.map(\.score)
    let count = Double(max(1, results.count))
    let seconds = results.reduce(0) { $0 + $1.seconds }
    self.name = name
    games = results.count
    score = ArenaReport.Score(
      mean: Double(scores.reduce(0, +)) / count, ci95: meanInterval,
      median: median(of: scores), max: scores.max() ?? 0)
    reached = [:]
    reachedCi95 = [:]
    for exponent in exponents {
      let reaching = results.count { $0.largestExponent >= exponent }
      reached[String(1 << exponent)] = Double(reaching) / count
      reachedCi95[String(1 << exponent)] = .wilson(successes: reaching, trials: results.count)
    }
    moves = results.reduce(0) { $0 + $1.moves }
    movesPerSecond = seconds > 0 ? Double(moves) / seconds : 0
  }
}

extension ConfidenceInterval {
  static let zero = ConfidenceInterval(low: 0, high: 0)
}

/// Returns the median: of an even number of values the mean of the two middle ones, and 0 without values.
func median(of values: [Int]) -> Double {
  if values.isEmpty { return 0 }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  if sorted.count % 2 == 1 { return Double(sorted[middle]) }
  return (Double(sorted[middle - 1]) + Double(sorted[middle])) / 2
}
