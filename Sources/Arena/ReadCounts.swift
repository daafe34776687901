import Game2048
import NTupleNetwork
import Search

extension NTupleNetwork {
  /// Plays games `0..<games` greedily, and counts how often each weight is read for the evaluated afterstates.
  ///
  /// - Returns: The number of reads of each weight, in memory order. Counts stop at 2^24.
  /// - Complexity: O(moves), and as much memory as the weights.
  public func readCounts(
    greedyGames games: Int, seed: UInt64, rules: Rules,
    progress: (_ gamesDone: Int) -> Void = { _ in }
  ) -> SharedWeights {
    let counts = SharedWeights(count: weights.count)
    let player = CountingPlayer(
      player: GreedyNetworkPlayer(network: self, rules: rules), counts: counts)
    for game in 0..<games {
      _ = GameResult(of: player, spawns: GameSpawns(seed: seed, game: game), rules: rules)
      progress(game + 1)
    }
    return counts
  }
}

/// A greedy player that counts its reads of each weight.
private struct CountingPlayer: Player {
  let player: GreedyNetworkPlayer
  let counts: SharedWeights

  var name: String { player.name }

  func decide(on board: Board) -> Decision {
    let decision = player.decide(on: board)
    for move in decision.moves where move.legal {
      player.network.countReads(
        ofPlanes: player.network.planes(of: move.afterstate), in: counts)
    }
    return decision
  }
}
