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
  private func play(_ groups: [[PlayerSpecification]], ranks: Int) throws -> [[[Int]]] {
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
            isRecorded: false, progress: { _ in }, shouldStop: { false })
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
}
