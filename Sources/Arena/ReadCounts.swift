import Game2048
import NTupleNetwork

/// How often each weight of a network is read when it plays.
public enum ReadCounts {
  /// Plays games `0..<games` greedily, and counts the reads of all afterstates that it chose from.
  ///
  /// - Parameter progress: called after each game.
  /// - Returns: the count of each weight, in memory order; those above 2^24 stay there.
  /// - Complexity: O(moves) time, and as much memory as the weights.
  public static func ofGreedyPlay(
    _ network: NTupleNetwork, games: Int, seed: UInt64, rules: Rules,
    progress: (_ gamesDone: Int) -> Void = { _ in }
  ) -> SharedWeights {
    let counts = SharedWeights(count: network.weights.count)
    for game in 0..<games {
      let spawns = GameSpawns(seed: seed, game: game)
      var board = spawns.startBoard(rules)
      var spawn = 2
      while let best = network.greedyMove(from: board, rules: rules) {
        for direction in Direction.allCases {
          guard let move = rules.move(board, direction) else { continue }
          network.countReads(ofPlanes: network.planes(of: move.afterstate), in: counts)
        }
        board = best.afterstate
        rules.spawn(on: &board, bits: spawns.bits(spawn))
        spawn += 1
      }
      progress(game + 1)
    }
    return counts
  }
}
