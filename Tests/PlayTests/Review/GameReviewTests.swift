import Basics
import Game2048
import Search
import Synchronization
import TestSupport
import Testing

@testable import Play

@Suite("Reviews of games")
struct GameReviewTests {
  private let network = TestNetworks.random(["012", "456"])

  /// Returns a recorded game of a player.
  private func game(of player: some Player, seed: UInt64 = 5) throws -> PlayedGame {
    let result = GameResult(
      of: player, spawns: GameSpawns(seed: seed, game: 0), rules: .standard, isRecorded: true)
    return try PlayedGame(GameReplay(try #require(result.record)))
  }

  private func maker(_ text: String) throws -> @Sendable (UInt64) -> any Player {
    try PlayerFactory(network: network).maker(of: PlayerSpecification(text))
  }

  /// A player with fixed action values in the order up, down, left, right.
  private struct FixedPlayer: Player {
    let name = "fixed"
    let values: [Double]

    func decide(on board: Board) -> Decision {
      let moves = MoveEvaluation.all(from: board, rules: .standard) { move, _, _ in
        values[move.rawValue]
      }
      return Decision(
        moves: moves,
        best: moves.filter { $0.legal }.max { $0.value! < $1.value! }?.direction)
    }
  }

  @Test("losses, expected scores and the accuracy of a game worked by hand")
  func worked() throws {
    // Up is not legal on the first board.
    var game = PlayedGame(from: try Board(text: "0110000000000000"), score: 100)
    var isAllowed = game.append(try Board(text: "2000000000000001"), direction: .left)
    #expect(isAllowed)
    isAllowed = game.append(try Board(text: "0000000010002001"), direction: .down)
    #expect(isAllowed)
    let review = GameReview(of: game) { _ in FixedPlayer(values: [10, 40, 20, 30]) }
    #expect(review.moves.map(\.number) == [1, 2])
    #expect(review.moves.map(\.best) == [.down, .down])
    #expect(review.moves.map(\.loss) == [20, 0])
    #expect(review.moves.map(\.expected) == [140, 144])
    // The losses are 0, 20 and 10, and on the second board 30, 0, 20 and 10.
    #expect(review.moves.map(\.meanLoss) == [10, 15])
    #expect(review.finalScore == 104)
    // The first move gave away 20 of 40 points to come.
    #expect(review.moves.map(\.share) == [0.5, 0])
    #expect(review.moves.map(\.grade) == [.large, .best])
    #expect(review.counts == [.large: 1, .best: 1] && review.boardSize == 4)
    #expect(review.accuracy == 1 - 20.0 / 25)
    #expect(review.worst().map(\.number) == [1] && review.moments().map(\.number) == [1])
  }

  @Test("boards with a single legal move count in neither sum")
  func singleMove() throws {
    var game = PlayedGame(from: try Board(text: "1000200010002000"))
    #expect(Rules.standard.legalDirections(from: game.board) == [.right])
    let isAllowed = game.append(try Board(text: "1001000200010002"))
    #expect(isAllowed)
    let review = GameReview(of: game) { _ in FixedPlayer(values: [1, 2, 3, 4]) }
    #expect(review.moves[0].meanLoss == nil && review.moves[0].loss == 0)
    #expect(review.accuracy == nil)
    #expect(review.worst().isEmpty)
  }

  @Test("the best moves have an accuracy of 100 %, and random ones of about 0 %")
  func accuracy() throws {
    let makePlayer = try maker("learned:depth=1")
    let best = GameReview(of: try game(of: FixedSeedPlayer(makePlayer)), makePlayer: makePlayer)
    #expect(best.counts == [.best: best.moves.count] && best.accuracy == 1)
    let accuracies = try (UInt64(0)..<30).map { seed in
      let played = try game(of: RandomPlayer(rules: .standard, seed: seed), seed: seed)
      return try #require(GameReview(of: played, makePlayer: makePlayer).accuracy)
    }
    let mean = accuracies.reduce(0, +) / Double(accuracies.count)
    #expect(abs(mean) < 0.05, "\(mean)")
    #expect(accuracies.contains { $0 < 0 } && accuracies.contains { $0 > 0 })
  }

  /// The choices of players that are made again for each board.
  private struct FixedSeedPlayer: Player {
    let name = "anew"
    let makePlayer: @Sendable (UInt64) -> any Player

    init(_ makePlayer: @escaping @Sendable (UInt64) -> any Player) { self.makePlayer = makePlayer }

    func decide(on board: Board) -> Decision {
      var player = makePlayer(board.analysisSeed)
      return player.decide(on: board)
    }
  }

  // Promise: A review leaves games alone
  @Test(
    "a review does not depend on the number of threads",
    arguments: ["learned:depth=2", "montecarlo:simulations=3"])
  func threads(player: String) throws {
    let makePlayer = try maker(player)
    let played = try game(of: RandomPlayer(rules: .standard, seed: 1))
    let counts = Mutex<[Int]>([])
    let one = GameReview(of: played, makePlayer: makePlayer) { count in
      counts.withLock { $0.append(count) }
    }
    let four = GameReview(of: played, threads: 4, makePlayer: makePlayer)
    #expect(one.moves == four.moves)
    #expect(one.moves.map(\.number) == Array(1...played.moves.count))
    #expect(counts.withLock { $0 } == Array(1...played.moves.count))
  }

  @Test(
    "the worst moves gave most away, and the moments are the worst that are not near one another")
  func worst() throws {
    let makePlayer = try maker("learned:depth=1")
    let played = try game(of: RandomPlayer(rules: .standard, seed: 2))
    let review = GameReview(of: played, makePlayer: makePlayer)
    let worst = review.worst()
    #expect(worst.count == 10)
    #expect(worst.map(\.share) == Array(review.moves.map(\.share).sorted(by: >).prefix(10)))
    for (one, other) in zip(worst, worst.dropFirst()) where one.share == other.share {
      #expect(one.number < other.number)
    }
    #expect(review.worst(3) == Array(worst.prefix(3)))
    let moments = review.moments()
    #expect(moments.count == 3 && moments.contains(worst[0]))
    #expect(moments.map(\.number) == moments.map(\.number).sorted())
    // Every worse move is near one of them that is at least as bad.
    let least = try #require(moments.map(\.share).min())
    for move in review.worst(review.moves.count) where move.share > least {
      #expect(moments.contains { abs($0.number - move.number) < 20 && $0.share >= move.share })
    }
  }

  @Test(
    "the values of networks and of whole simulated games are points",
    arguments: [
      ("learned:depth=2", true), ("montecarlo", true), ("montecarlo:model=x", true),
      ("montecarlo:evaluator=rowScore", false), ("montecarlo:depth=5", false),
      ("heuristic", false), ("expectimax:evaluator=snakeLinear", false), ("greedy", false),
      ("random", false), ("rules", false),
    ])
  func points(player: String, arePoints: Bool) throws {
    #expect(try PlayerSpecification(player).valuesArePoints == arePoints)
  }
}
