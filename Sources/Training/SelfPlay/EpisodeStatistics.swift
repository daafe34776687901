import Basics
import NTupleNetwork

/// The sums over some episodes, for the averages in a report.
///
/// Scores and tiles are those of complete games only. The score of an episode that started within a
/// game says little about the player.
public struct EpisodeStatistics: Codable, Equatable, Sendable {
  /// The number of episodes.
  public private(set) var episodes = 0
  /// The number of moves of all episodes.
  public private(set) var moves = 0
  /// The number of episodes that were complete games.
  public private(set) var games = 0
  /// The sum of the scores of the complete games, in points.
  public private(set) var scoreSum = 0
  /// The highest score of a complete game, in points.
  public private(set) var maxScore = 0
  /// The number of complete games by their largest tile: `endedAt[e]` of them ended with `1 << e`.
  public private(set) var endedAt = Array(repeating: 0, count: 32)

  /// Creates statistics of no episodes.
  public init() {}

  /// Whether these can be the sums over some episodes.
  package var isValid: Bool {
    endedAt.count == 32
      && ([episodes, moves, games, scoreSum, maxScore] + endedAt).allSatisfy {
        InputLimit.count.allows($0)
      }
  }

  /// Adds one episode.
  public mutating func add(_ result: EpisodeResult) {
    episodes += 1
    moves += result.moves
    guard result.isWholeGame else { return }
    games += 1
    scoreSum += result.score
    maxScore = max(maxScore, result.score)
    endedAt[result.largestExponent] += 1
  }

  /// Adds the episodes of other statistics.
  package mutating func add(_ other: EpisodeStatistics) {
    episodes += other.episodes
    moves += other.moves
    games += other.games
    scoreSum += other.scoreSum
    maxScore = max(maxScore, other.maxScore)
    for exponent in endedAt.indices { endedAt[exponent] += other.endedAt[exponent] }
  }

  /// The mean score in points, or 0 without complete games.
  public var meanScore: Double { Double(scoreSum) / Double(max(1, games)) }

  /// Returns the share of complete games that reached the tile `1 << exponent`.
  public func reachRate(exponent: Int) -> Double {
    Double(endedAt[exponent...].reduce(0, +)) / Double(max(1, games))
  }

  /// The reach rates by tile value, for every tile of at least 2048 up to the largest.
  ///
  /// If no game reached 2048, the only rate is that of the largest tile.
  public var reached: [String: Double] {
    guard let largest = endedAt.lastIndex(where: { $0 > 0 }) else { return [:] }
    let exponents = min(11, largest)...largest
    return Dictionary(
      uniqueKeysWithValues: exponents.map { (String(1 << $0), reachRate(exponent: $0)) })
  }
}

/// The outcome of one episode.
public struct EpisodeResult: Codable, Equatable, Sendable {
  /// The score in points.
  public var score: Int
  /// The number of moves.
  public var moves: Int
  /// The exponent of the largest tile at the end.
  public var largestExponent: Int
  /// Whether the episode was a complete game, from the start of the game to its end.
  public var isWholeGame = true

  /// Whether an episode can have this result.
  var isValid: Bool {
    InputLimit.countOfEpisode.allows(score) && InputLimit.countOfEpisode.allows(moves)
      && (0..<32).contains(largestExponent)
  }
}

/// The settings of an episode that depend on the schedules of the run.
struct EpisodePlan: Sendable {
  /// The update rule.
  var rule: any UpdateRule
  /// The start rule.
  var start: StartRule
}
