import Game2048
import NTupleNetwork
import Search

/// Greedy games that measure the residuals of a network by level.
package enum LevelGames {
  /// Plays games `0..<games` greedily on several threads, as the arena numbers them.
  ///
  /// - Parameter progress: Called with the number of finished games, from any thread.
  /// - Returns: The residuals, which do not depend on the number of threads.
  package static func play(
    _ network: NTupleNetwork, rules: Rules, games: Int, seed: UInt64, threads: Int,
    progress: @escaping @Sendable (_ gamesDone: Int) -> Void = { _ in }
  ) -> LevelResiduals {
    let recorder = LevelRecorder()
    _ = Arena.run(
      contestants: [contestant(network, rules: rules, recorder)], games: games, seed: seed,
      threads: threads, rules: rules, progress: { progress($0.gamesDone) })
    return recorder.residuals
  }

  /// The number of rounds after which offsets hardly change any more.
  package static let calibrationRounds = 3

  /// Plays rounds of games, each with the offsets that the one before calls for, and returns the last.
  ///
  /// Several rounds are needed because the offsets change what a greedy player does: without them it makes a
  /// missing tile only where the value falls least.
  ///
  /// - Parameter games: The number of games of a round.
  package static func calibratedOffsets(
    of network: NTupleNetwork, rules: Rules, games: Int, threads: Int,
    progress: @escaping @Sendable (_ gamesDone: Int) -> Void = { _ in }
  ) -> LevelOffsets {
    let player = NTupleNetwork(network.shape, weights: network.weights)
    player.levelOffsets = network.levelOffsets
    for round in 0..<calibrationRounds {
      let residuals = play(
        player, rules: rules, games: games, seed: UInt64(round), threads: threads
      ) { progress(round * games + $0) }
      player.levelOffsets = residuals.offsets(
        correcting: player.levelOffsets, network.shape.downgrading)
    }
    return player.levelOffsets
  }

  /// Returns a greedy contestant whose residuals are recorded.
  package static func contestant(
    _ network: NTupleNetwork, rules: Rules, _ recorder: LevelRecorder
  ) -> Contestant {
    Contestant(name: "learned") { seed in
      RecordingPlayer(network: network, rules: rules, recorder: recorder, seed: seed)
    }
  }
}

/// A greedy player that records the residuals of its game.
private struct RecordingPlayer: Player {
  private let player: GreedyNetworkPlayer<NTupleNetwork>
  private let recorder: LevelRecorder
  private let seed: UInt64
  private var game: LevelResiduals.Game

  init(network: NTupleNetwork, rules: Rules, recorder: LevelRecorder, seed: UInt64) {
    player = GreedyNetworkPlayer(network: network, rules: rules)
    (self.recorder, self.seed) = (recorder, seed)
    game = LevelResiduals.Game(network.shape.downgrading)
  }

  var name: String { player.name }

  func decide(on board: Board) -> Decision { player.decide(on: board) }

  mutating func chooseMove(from board: Board) -> Direction? {
    guard let move = player.network.greedyMove(from: board, rules: player.rules) else {
      recorder.add(game, key: seed)
      return nil
    }
    game.observe(move)
    return move.direction
  }
}
