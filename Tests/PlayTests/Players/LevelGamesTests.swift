import Game2048
import NTupleNetwork
import Search
import TestSupport
import Testing

@testable import Play

@Suite struct LevelGamesTests {
  /// A network that likes empty cells, and so makes tiles of 512 and 1024.
  private let network: NTupleNetwork

  init() throws {
    network = NTupleNetwork(
      NetworkShape(
        patterns: [try Pattern("0"), try Pattern("1"), try Pattern("5")],
        downgrading: Downgrading(from: 10)))
    for table in network.shape.tables { network.weights[table.offset] = 50 }
  }

  private func play(games: Int, threads: Int = 1) -> LevelResiduals {
    LevelGames.play(network, rules: .standard, games: games, seed: 3, threads: threads)
  }

  @Test func gamesAreThoseOfTheArena() {
    let expected = LevelRecorder()
    let contestant = LevelGames.contestant(network, rules: .standard, expected)
    let result = Arena.run(contestants: [contestant], games: 40, seed: 3, threads: 1)
    let plain = Arena.run(
      contestants: [
        Contestant(name: "learned") { _ in GreedyNetworkPlayer(network: network) }
      ], games: 40, seed: 3, threads: 1)
    #expect(result.results[0].map(\.score) == plain.results[0].map(\.score))
    #expect(expected.residuals == play(games: 40))
  }

  @Test func threadsChangeNothing() {
    let one = play(games: 60)
    #expect(one.games == 60 && !one.levels.isEmpty)
    #expect(play(games: 60, threads: 3) == one)
  }
}
