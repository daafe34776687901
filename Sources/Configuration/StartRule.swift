/// Where an episode starts.
public enum StartRule: String, CaseIterable, Codable, Sendable {
  /// From the start of the game.
  case opening
  /// From the middle of the episode before, until that was short (Matsuzaki 2017).
  case restart
  /// In turn from the start of the game and from boards on which a tile had just appeared, one tile
  /// after the other (Jaśkowski 2017, carousel shaping).
  case carousel
}

/// What decides the starts besides their rule.
package struct StartSettings: Sendable {
  /// The share of a path that a restart leaves behind.
  package var restartShare: Double
  /// The length in moves from which a path may be restarted.
  package var shortestPath: Int
  /// The exponent that some tile of a board must have at least for a restart from it.
  package var restartExponent = 0
  /// The exponents of the tiles whose first appearance is recorded, ascending.
  package var carouselExponents: [Int]

  /// The most boards kept for each tile of the carousel.
  package static let ringCapacity = 1_000

  package init(
    restartShare: Double, shortestPath: Int, restartExponent: Int = 0, carouselExponents: [Int]
  ) {
    self.restartShare = restartShare
    self.shortestPath = shortestPath
    self.restartExponent = restartExponent
    self.carouselExponents = carouselExponents
  }
}
