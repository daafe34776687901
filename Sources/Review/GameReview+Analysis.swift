import Basics
import Game2048
import Players
import Search
import Synchronization

extension GameReview {
  /// Reviews a game.
  ///
  /// Every board is analysed by a new player, so that its result does not depend on the boards before, and the
  /// review of a player without a time limit does not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - game: The game.
  ///   - threads: The number of threads.
  ///   - makePlayer: Returns a player with a seed. Its action values are points.
  ///   - onProgress: Called from any thread with the number of reviewed moves.
  public init(
    of game: PlayedGame, threads: Int = 1,
    makePlayer: @Sendable (_ seed: UInt64) -> any Player,
    onProgress: @Sendable (_ moves: Int) -> Void = { _ in }
  ) {
    let next = Atomic<Int>(0)
    let finished = Atomic<Int>(0)
    let reviewed = Mutex<[Move]>([])
    WorkerThreads.run(count: threads) { _, _ in
      var own: [Move] = []
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < game.moves.count else { break }
        let played = game.moves[index]
        var player = makePlayer(played.board.analysisSeed)
        own.append(Move(number: index + 1, played, player.decide(on: played.board)))
        onProgress(finished.wrappingAdd(1, ordering: .relaxed).newValue)
      }
      reviewed.withLock { $0 += own }
    }
    moves = reviewed.withLock { $0 }.sorted { $0.number < $1.number }
    finalScore = game.score
  }
}

extension GameReview.Move {
  /// Compares a move with a decision on its board.
  ///
  /// - Precondition: The move is legal, and the legal moves have values.
  init(number: Int, _ played: PlayedGame.Move, _ decision: Decision) {
    let values = decision.moves.compactMap(\.value)
    let best = values.max()!
    self.number = number
    self.played = played
    self.best = decision.best!
    expected = Double(played.score) + best
    loss = best - decision.moves[played.direction.rawValue].value!
    meanLoss =
      values.count == 1 ? nil : values.reduce(0) { $0 + (best - $1) } / Double(values.count)
  }
}
