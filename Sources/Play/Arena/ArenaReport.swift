import Basics
import Foundation
import Game2048

/// The statistics of an arena run, the document of `evaluate --json`.
///
/// The fields of the documents say what the properties are.
public struct ArenaReport: Hashable, Decodable, Sendable {
  public var games: Int
  public var seed: UInt64
  public var startBoards: Int?
  /// The statistics of each player, in the order of the contestants.
  public var players: [Player]
  /// The comparisons of all pairs of players, in the order of the players.
  public var comparisons: [Comparison]
  /// The decisions of the sequential tests; nil without a stopping rule.
  public var sequential: Sequential?

  /// The statistics of one player.
  public struct Player: Hashable, Decodable, Sendable {
    public var name: String
    public var episodes: Int?
    public var games: Int
    public var weights: String?
    public var score: Score
    /// The share of games that reached a tile, keyed by the value of the tile.
    ///
    /// The tiles range from the smallest to the largest one with which a game of any player ended, and always
    /// include 2048. Of games from given boards, only those count whose board had no such tile and no
    /// larger one, and the tiles begin with the first one that some board did not have.
    public var reached: [String: Double]
    public var reachedCi95: [String: ConfidenceInterval]
    public var moves: Int
    /// The number of moves divided by the sum of the games' durations, in moves per second.
    ///
    /// This is the speed of one thread, provided that every thread has a core.
    public var movesPerSecond: Double
  }

  /// Statistics of a player's scores, in points.
  public struct Score: Hashable, Codable, Sendable {
    public var mean: Double
    public var ci95: ConfidenceInterval
    public var median: Double
    public var max: Int
  }

  /// The decisions of a ``StoppingRule``.
  public struct Sequential: Hashable, Decodable, Sendable {
    public var errorRate: Double
    public var decisions: [Decision]

    /// The decision which of two players wins more of their paired games.
    public struct Decision: Hashable, Decodable, Sendable {
      public var a: String
      public var b: String
      public var better: String?
      public var games: Int?
    }
  }

  /// The comparison of the scores of players `a` and `b` in paired games.
  public struct Comparison: Hashable, Decodable, Sendable {
    public var a: String
    public var b: String
    public var meanDifference: Double
    public var ci95: ConfidenceInterval
    /// mean(a) / mean(b); nil if mean(b) is 0.
    public var ratio: Double?
    /// The interval of ``ratio``; nil if mean(b) is 0 in a resample.
    public var ratioCi95: ConfidenceInterval?
    public var reachedDifference: [String: Double]?
    public var reachedDifferenceCi95: [String: ConfidenceInterval]?
  }
}

extension ArenaReport: Document {
  package static let fields: [Field<ArenaReport>] = [
    Field("games", \.games, "The number of games that every player has played."),
    Field("seed", \.seed, "The seed of the spawns."),
    Field(
      optional: "startBoards", \.startBoards,
      "With `--start`: the number of different boards; otherwise missing."),
    Field("players", \.players),
    Field("comparisons", \.comparisons),
    Field(
      optional: "sequential", \.sequential,
      "With `--until-decided`: the decisions; otherwise missing."),
  ]
}

extension ArenaReport.Player: Document {
  package static let fields: [Field<Self>] = [
    Field("name", \.name, "The PLAYER text.").column("player") { $0.name },
    Field(
      optional: "episodes", \.episodes,
      "The episodes of a checkpoint of RUN@all; otherwise missing."),
    Field("games", \.games, "The number of games of the player.")
      .column("games") { NumberText.grouped($0.games) },
    Field(
      optional: "weights", \.weights,
      "The checksum of the weights and level offsets of the player's network, or of its file if that is a .w file; "
        + "missing without a network."),
    Field(
      "score",
      [
        Field("mean", \.score.mean, unit: "points", "The mean score.")
          .column("mean") { NumberText.grouped($0.score.mean) },
        Field(
          "ci95", \.score.ci95, unit: "points",
          "Its 95 % bootstrap interval, as `[low, high]`. Bootstrap intervals of a single game are points, and say "
            + "nothing."
        ).column("95% interval") { $0.score.ci95.text },
        Field("median", \.score.median, unit: "points", "The median score.")
          .column("median") { NumberText.grouped($0.score.median) },
        Field("max", \.score.max, unit: "points", "The highest score.")
          .column("max") { NumberText.grouped($0.score.max) },
      ]),
    Field(
      "reached", \.reached,
      "The share of games that reached a tile, by tile value; with `--start`, of the games whose board did not "
        + "have the tile."),
    Field("reachedCi95", \.reachedCi95, "The 95 % Wilson intervals of these shares."),
    Field("moves", \.moves, "The number of moves of all games.")
      .column("moves") { NumberText.rate(Double($0.moves)) },
    Field("movesPerSecond", \.movesPerSecond, unit: "moves/s", "The speed of one thread.")
      .column("moves/s") { NumberText.rate($0.movesPerSecond) },
  ]
}

extension ArenaReport.Comparison: Document {
  package static let fields: [Field<Self>] = [
    Field("a", \.a, "The first player of a pair. There is an object per pair.")
      .column("difference") { "\($0.a) - \($0.b)" },
    Field("b", \.b, "The second player."),
    Field(
      "meanDifference", \.meanDifference, unit: "points", "The mean score of `a` minus that of `b`."
    ).column("mean") { NumberText.signed($0.meanDifference) },
    Field("ci95", \.ci95, unit: "points", "Its 95 % bootstrap interval, paired by seed.")
      .column("95% interval") { $0.ci95.text },
    Field("ratio", \.ratio, "The ratio of the mean scores, or null.")
      .column("ratio") { $0.ratio.map { String(format: "%.2f", $0) } },
    Field("ratioCi95", \.ratioCi95, "Its 95 % bootstrap interval, or null.")
      .column("95% interval") { $0.ratioCi95?.text(format: "%.2f") },
    Field(
      optional: "reachedDifference", \.reachedDifference,
      "With `--start`: the share of games of `a` that reached a tile minus that of `b`, by tile value; otherwise "
        + "missing."),
    Field(
      optional: "reachedDifferenceCi95", \.reachedDifferenceCi95,
      "Their 95 % bootstrap intervals, paired by game; missing with them."),
  ]
}

extension ArenaReport.Sequential: Document {
  package static let fields: [Field<Self>] = [
    Field("errorRate", \.errorRate, "The probability of a wrong decision."),
    Field("decisions", \.decisions),
  ]
}

extension ArenaReport.Sequential.Decision: Document {
  package static let fields: [Field<Self>] = [
    Field("a", \.a, "The first player of a pair."),
    Field("b", \.b, "The second player."),
    Field("better", \.better, "The player that wins more games, or null if undecided."),
    Field("games", \.games, "The number of games at the decision, or null."),
  ]
}

extension ArenaReport.Player {
  /// The shares in ``reached`` with their intervals, by increasing tile.
  public var tileRates: [(tile: Int, rate: Double, ci95: ConfidenceInterval)] {
    reached.compactMap { text, rate in
      guard let tile = Int(text), let interval = reachedCi95[text] else { return nil }
      return (tile, rate, interval)
    }.sorted { $0.tile < $1.tile }
  }
}

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
    let starts = Set(result.results.joined().compactMap(\.start))
    startBoards = starts.isEmpty ? nil : starts.count
    players = result.contestants.indices.map { index in
      Player(
        name: result.contestants[index], weights: result.weights[index],
        results: result.results[index], exponents: exponents,
        meanInterval: bootstrap?.intervalOfMean(index) ?? .zero)
    }
    comparisons = []
    for (a, b) in pairs(players.count) {
      let (meanA, meanB) = (players[a].score.mean, players[b].score.mean)
      comparisons.append(
        Comparison(
          a: players[a].name, b: players[b].name, meanDifference: meanA - meanB,
          ci95: bootstrap?.intervalOfDifference(a, b) ?? .zero,
          ratio: meanB == 0 ? nil : meanA / meanB,
          ratioCi95: bootstrap?.intervalOfRatio(a, b)))
    }
    if startBoards != nil { compareReached(result, exponents) }
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

  /// Adds the differences of the shares of games that reached each tile to the comparisons.
  ///
  /// They are paired: a game counts for both players or for none.
  private mutating func compareReached(_ result: ArenaResult, _ exponents: ClosedRange<Int>) {
    for place in comparisons.indices {
      comparisons[place].reachedDifference = [:]
      comparisons[place].reachedDifferenceCi95 = [:]
    }
    for exponent in exponents {
      let reached = result.results.map { games in
        games.filter { $0.starts(below: exponent) }.map { $0.largestExponent >= exponent ? 1.0 : 0 }
      }
      guard let count = reached.first?.count, count > 0 else { continue }
      let bootstrap = PairedBootstrap(reached)
      let shares = reached.map { $0.reduce(0, +) / Double(count) }
      for (place, (a, b)) in pairs(reached.count).enumerated() {
        comparisons[place].reachedDifference?[String(1 << exponent)] = shares[a] - shares[b]
        comparisons[place].reachedDifferenceCi95?[String(1 << exponent)] =
          bootstrap.intervalOfDifference(a, b)
      }
    }
  }

  /// Returns the exponents of the tiles whose rates are reported for every player: from the smallest to the
  /// largest one with which a game ended, extended to 2048. Of games from given boards, the first is the
  /// first one that some board did not have.
  private static func reportedExponents(_ result: ArenaResult) -> ClosedRange<Int> {
    let winning = GameSession.winningExponent
    let largest = result.results.joined().map(\.largestExponent)
    if let start = result.results.joined().compactMap({ $0.start?.largestTileExponent }).min() {
      return (start + 1)...max(start + 1, largest.max() ?? 0)
    }
    return min(largest.min() ?? winning, winning)...max(largest.max() ?? winning, winning)
  }
}

extension ArenaReport.Player {
  /// Computes the statistics of one contestant.
  init(
    name: String, weights: String?, results: [GameResult], exponents: ClosedRange<Int>,
    meanInterval: ConfidenceInterval
  ) {
    let scores = results.map(\.score)
    let count = Double(max(1, results.count))
    let seconds = results.reduce(0) { $0 + $1.seconds }
    self.name = name
    self.weights = weights
    games = results.count
    score = ArenaReport.Score(
      mean: Double(scores.reduce(0, +)) / count, ci95: meanInterval,
      median: scores.map(Double.init).median, max: scores.max() ?? 0)
    reached = [:]
    reachedCi95 = [:]
    for exponent in exponents {
      let counted = results.filter { $0.starts(below: exponent) }
      let reaching = counted.count { $0.largestExponent >= exponent }
      reached[String(1 << exponent)] = Double(reaching) / Double(max(1, counted.count))
      reachedCi95[String(1 << exponent)] = .wilson(successes: reaching, trials: counted.count)
    }
    moves = results.reduce(0) { $0 + $1.moves }
    movesPerSecond = seconds > 0 ? Double(moves) / seconds : 0
  }
}

extension GameResult {
  /// Returns whether the game started without a tile of at least `1 << exponent`.
  fileprivate func starts(below exponent: Int) -> Bool {
    start.map { $0.largestTileExponent < exponent } ?? true
  }
}

extension ConfidenceInterval {
  static let zero = ConfidenceInterval(low: 0, high: 0)
}

/// Returns all pairs of the numbers below `count`, in the order (0, 1), (0, 2), …
func pairs(_ count: Int) -> [(Int, Int)] {
  (0..<count).flatMap { a in (a + 1..<count).map { b in (a, b) } }
}

extension [Double] {
  /// The median: of an even number of values the mean of the two middle ones, and 0 without values.
  package var median: Double {
    if isEmpty { return 0 }
    let sorted = sorted()
    let middle = count / 2
    return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
