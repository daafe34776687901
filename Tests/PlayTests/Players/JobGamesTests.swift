import Basics
import EndgameTables
import Game2048
import ModelFiles
import NTupleNetwork
import Search
import Synchronization
import TestSupport
import Testing

@testable import Play

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
    _ groups: [[PlayerSpecification]], ranks: Int, starts: [Board] = [], errorRate: Double? = nil,
    earlier: GameTable? = nil
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
        let factory = PlayerFactory()
        let played = try groups.map { players in
          try factory.keepModels(of: players)
          try factory.loadModels(of: players)
          return try job.run(
            players, factory, games: 6, seed: 5, threads: 1, starts: starts,
            errorRate: errorRate,
            isRecorded: false, earlier: earlier.map { ($0, "games.csv") }, progress: { _ in },
            shouldStop: { false })
        }
        job.end()
        return played.map { $0.results.map { $0.map(\.score) } }
      }
      scores.withLock { $0 = result }
    }
    return try scores.withLock(\.self).get()
  }

  @Test func ranksReceiveLevelOffsets() throws {
    let shape = NetworkShape(patterns: [try Pattern("0")], downgrading: Downgrading(from: 14))
    let sent = NTupleNetwork(shape)
    for level in TileLevel.all(ofLargest: 14) {
      sent.levelOffsets[level] = 0.1 * Float(level.missing)
    }
    let received = Mutex<[LevelOffsets]>([])
    ThreadCommunicator.run(ranks: 2) { communicator in
      let network = try? communicator.share(communicator.isLeader ? sent : nil)
      received.withLock { $0.append(network?.levelOffsets ?? .none) }
    }
    #expect(received.withLock { $0 } == [sent.levelOffsets, sent.levelOffsets])
  }

  @Test func ranksReceiveFrozenNetworks() throws {
    let sent = FrozenNetwork.random(TestNetworks.shape(["0123", "4"]))
    let received = Mutex<[FrozenNetwork?]>([])
    ThreadCommunicator.run(ranks: 2) { communicator in
      let network = try? communicator.share(communicator.isLeader ? sent : nil)
      received.withLock { $0.append(network as? FrozenNetwork) }
    }
    let boards = SampleBoards.random(50)
    for network in received.withLock(\.self) {
      #expect(network?.scales == sent.scales)
      #expect(boards.map { network?.value(of: $0) } == boards.map { sent.value(of: $0) })
    }
    #expect(received.withLock { $0.count { $0 !== sent } } == 1)
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

  @Test func ranksReceivePlayersThatNoTextNames() throws {
    let shape = try #require(
      TableShape(locked: CellSet("###./###./..../....")!, goal: 5, target: .chain, margin: 0))
    _ = try TableBuilder(shape, directory: root.file("e,f"), threads: 1).build { _ in }
    // In a PLAYER text, a comma ends the name of the directory.
    let players = try ["1", "2"].map { depth in
      try PlayerSpecification(
        .heuristic, options: ["depth": depth, "endgame": root.file("e,f"), "handover": "2"])
    }
    let alone = try play([players], ranks: 1)
    #expect(Set(alone[0]).count == 2)
    #expect(try play([players], ranks: 2) == alone)
  }

  @Test func aComparisonThatMayEndDrawsTheBoards() throws {
    let players = try ["rules", "greedy"].map { try PlayerSpecification($0) }
    let starts = [[9, 8, 0, 0, 1], [3, 0, 0, 0, 9], [1, 0, 0, 0, 1]].map {
      Board(exponents: $0 + [Int](repeating: 0, count: 11))
    }
    // Six games of two players do not decide anything.
    let drawn = try play([players], ranks: 1, starts: starts, errorRate: 0.05)
    #expect(drawn[0].map(\.count) == [6, 6])
    #expect(try drawn != play([players], ranks: 1, starts: starts))
    #expect(try drawn == play([players], ranks: 3, starts: starts, errorRate: 0.05))
  }

  @Test func earlierGamesOfOtherRulesAreRejected() throws {
    let small = PlayerSpecification.learned(
      model: root.file("c.safetensors"), search: SearchSettings(depth: .plies(1)))
    try root.write(
      Array(
        """
        game,player,score,moves,largestTile,seconds,seed,weights
        1,rules,1000002,9,8,1,5,

        """.utf8), "games.csv")
    let usual = try GameTable(path: root.file("games.csv"))
    let rules = try PlayerSpecification("rules")
    #expect(try play([[rules]], ranks: 1, earlier: usual)[0][0][0] == 1_000_002)
    let error = #expect(throws: LocatedError.self) {
      try play([[small, rules]], ranks: 1, earlier: usual)
    }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains("other rules: 4x4, but the players play 3x3-0.3") == true)
  }

  @Test(arguments: [1, 2]) func earlierGamesAreNotPlayedAgain(ranks: Int) throws {
    let players = [
      PlayerSpecification.learned(
        model: root.file("c.safetensors"), search: SearchSettings(depth: .plies(1))),
      try PlayerSpecification("rules"),
    ]
    let whole = try play([players], ranks: 1)[0]
    let weights = try #require(try WeightFile.readHeader(root.file("c.safetensors")).checksum)
    // No game scores so much on this board. The second game of the model is missing.
    let name = players[0].description
    try root.write(
      Array(
        """
        game,player,score,moves,largestTile,seconds,seed,weights,rules
        1,"\(name)",1000000,9,8,1,5,\(weights),3x3-0.3
        1,rules,1000002,9,8,1,5,,3x3-0.3
        2,rules,1000003,9,8,1,5,,3x3-0.3
        3,"\(name)",1000001,9,8,1,5,\(weights),3x3-0.3

        """.utf8), "games.csv")
    let resumed = try play(
      [players], ranks: ranks, earlier: GameTable(path: root.file("games.csv")))[0]
    #expect(resumed[0] == [1_000_000, whole[0][1], 1_000_001] + whole[0].dropFirst(3))
    #expect(resumed[1] == [1_000_002, 1_000_003] + whole[1].dropFirst(2))
  }
}
