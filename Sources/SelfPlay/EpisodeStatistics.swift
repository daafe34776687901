/// Sums over some episodes, from which a report's averages come.
///
/// Scores and tiles are those of whole games only: an episode that started within a game says little
/// about them.
public struct EpisodeStatistics: Codable, Equatable, Sendable {
  /// Episodes summed up.
  public private(set) var episodes = 0
  /// Their moves.
  public private(set) var moves = 0
  /// The episodes among them that were whole games.
  public private(set) var games = 0
  /// The points of these games.
  public private(set) var scoreSum = 0
  /// The highest score of these games, in points.
  public private(set) var maxScore = 0
  /// `endedAt[e]`: how many of these games ended with `1 << e` as their largest tile.
  public private(set) var endedAt = Array(repeating: 0, count: 32)

  public init() {}

  /// Whether episodes can add up to these sums.
  package var isValid: Bool {
    endedAt.count == 32
      && ([episodes, moves, games, scoreSum, maxScore] + endedAt).allSatisfy {
        (0..<1 << 62).contains($0)
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

  /// The mean score in points, 0 without games.
  public var meanScore: Double { Double(scoreSum) / Double(max(1, games)) }

  /// The share of games that reached the tile `1 << exponent`.
  public func reachRate(exponent: Int) -> Double {
    Double(endedAt[exponent...].reduce(0, +)) / Double(max(1, games))
  }

  /// The reach rate of every tile from 2048 up that was reached, and of the largest below if none
  /// was, by tile value.
  public var reached: [String: Double] {
    guard let largest = endedAt.lastIndex(where: { $0 > 0 }) else { return [:] }
    let exponents = min(11, largest)...largest
    return Dictionary(
      uniqueKeysWithValues: exponents.map { (String(1 << $0), reachRate(exponent: $0)) })
  }
}
