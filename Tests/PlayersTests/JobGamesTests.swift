import Arena
import Basics
import Game2048
import ModelFiles
import NTupleNetwork
import Search
import Synchronization
import TestSupport
import Testing

@testable import Players

/// The games of `evaluate` on several ranks, of which only the first has the files.
@Suite struct JobGamesTests {
  private let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
    for (name, seed) in [("a,b", UInt64(1)), ("c", 2)] {
      try WeightFile.write(
        TestNetworks.random(["012", "456"], size: 3, seed: seed),
        metadata: ModelMetadata(fourProbability: 0.3, version: "test"),
        to: root.file("\(name).safetensors"))
    }
  }

  /// Plays groups of players on some ranks, and returns the scores of rank 0.
  private func play(
    _ groups: [[PlayerSpecification]], ranks: Int, earlier: EarlierGames? = nil
  ) throws -> [[[Int]]] {
    let scores = Mutex<Result<[[[Int]]], any Error>>(.success([]))
    ThreadCommunicator.run(ranks: ranks) { communicator in
      guard communicator.isLeader else {
        do {
          try JobGames.follow(communicator, threads: 2, shouldStop: { false })
        } catch {
          Issue.record(error)
        }
        return
      }
      let result = Result {
        let job = JobGames(communicator)
        var loader = PlayerLoader()
        let played = try groups.map { players in
          loader.keepModels(of: players)
          try loader.loadModels(of: players)
          return try job.run(
            players, &loader, games: 6, seed: 5, threads: 1, starts: [], errorRate: nil,
            isRecorded: false, earlier: earlier, progress: { _ in }, shouldStop: { false })
        }
        try job.end()
        return played.map { $0.results.map { $0.map(\.score) } }
      }
      scores.withLock { $0 = result }
    }
    return try scores.withLock(\.self).get()
  }

  @Test func ranksWithoutFilesPlayTheSameGames() throws {
    func learned(_ name: String, depth: Int) -> PlayerSpecification {
      .learned(
        model: root.file("\(name).safetensors"), search: SearchSettings(depth: .plies(depth)))
    }
    let groups = [
      [
        learned("a,b", depth: 1), learned("c", depth: 2),
        try PlayerSpecification("heuristic:depth=2"),
      ],
      // The network of the first is known, the other one is forgotten.
      [learned("a,b", depth: 2), try PlayerSpecification("montecarlo:simulations=3")],
      [learned("c", depth: 1)],
    ]
    let alone = try play(groups, ranks: 1)
    #expect(alone.map(\.count) == [3, 2, 1] && Set(alone.joined()).count == 6)
    #expect(try play(groups, ranks: 3) == alone)
  }

  @Test(arguments: [1, 2]) func earlierGamesAreNotPlayedAgain(ranks: Int) throws {
    let players = [
      PlayerSpecification.learned(
        model: root.file("c.safetensors"), search: SearchSettings(depth: .plies(1))),
      try PlayerSpecification("rules"),
    ]
    let whole = try play([players], ranks: 1)[0]
    let weights = try WeightFile.readHeader(root.file("c.safetensors")).checksum
    // No game scores so much on this board.
    let earlier = ArenaResult(
      seed: 5, contestants: players.map(\.description), weights: [weights, nil],
      results: [[1_000_000, 1_000_001], [1_000_002, 1_000_003]].map { scores in
        scores.map { GameResult(score: $0, moves: 9, largestExponent: 3, seconds: 1) }
      })
    try root.write(Array(earlier.csv.utf8), "games.csv")
    let continued = try play(
      [players], ranks: ranks, earlier: EarlierGames(path: root.file("games.csv")))[0]
    #expect(continued[0] == [1_000_000, 1_000_001] + whole[0].dropFirst(2))
    #expect(continued[1] == [1_000_002, 1_000_003] + whole[1].dropFirst(2))
  }
}
