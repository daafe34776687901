import Basics
import EndgameTables
import Foundation
import Game2048
import ModelFiles
import NTupleNetwork
import Search
import Synchronization
import TestSupport
import Testing

@testable import Play

@Suite struct PlayerFactoryTests {
  private let root: TemporaryDirectory
  private let network = TestNetworks.random(["012", "456"])

  init() throws { root = try TemporaryDirectory() }

  private func specification(_ text: String) throws -> PlayerSpecification {
    try PlayerSpecification(text.replacing("ROOT", with: root.path))
  }

  @Test(arguments: [
    ("a.safetensors", "the checksum of the weights"), ("a.w", "the checksum of the file"),
  ])
  func aFileIsReadOnce(name: String, meaning: String) throws {
    let path = root.file(name)
    let expected: String
    if name.hasSuffix(".w") {
      try TDL2048File.write(network, to: path)
      expected = try Checksum.of(InputFile(path: path))
    } else {
      expected = try WeightFile.write(network, metadata: someMetadata, to: path).checksum
    }
    let read = Mutex<[String]>([])
    let factory = PlayerFactory { path in
      if let path { read.withLock { $0.append(path) } }
    }
    let player = try specification("learned:model=ROOT/\(name)")
    try factory.loadModels(of: [player])
    // A run in training removes its older checkpoints.
    try FileManager.default.removeItem(atPath: path)
    let contestant = try factory.contestant(player, inParallel: 2)
    #expect(contestant.weights == expected)
    #expect(contestant.name == player.description)
    let deeper = try factory.player(specification("learned:model=ROOT/\(name),depth=2"), seed: 1)
    #expect(deeper is ExpectimaxPlayer)
    #expect(read.withLock(\.self) == [path])
  }

  @Test func theDefaultModelStandsForNone() throws {
    let path = try WeightFile.write(network, metadata: someMetadata, to: root.file("a")).path
    let factory = PlayerFactory(defaultModel: path)
    let player = try specification("learned")
    #expect(try factory.network(nil) === factory.network(path))
    #expect(try factory.resolved(player).model == path)
    #expect(try factory.resolved(specification("greedy")) == specification("greedy"))
    try factory.keepModels(of: [player])
    #expect(try factory.maker(of: player)(1) is GreedyNetworkPlayer<NTupleNetwork>)
  }

  @Test func modelsOfOtherRulesAreRejected() throws {
    let metadata = ModelMetadata(fourProbability: 0.3, version: "test")
    for (name, size, metadata) in [
      ("usual", 4, someMetadata), ("small", 3, someMetadata), ("fours", 4, metadata),
    ] {
      try WeightFile.write(
        TestNetworks.random(["012"], size: size), metadata: metadata, to: root.file(name))
    }
    let factory = PlayerFactory()
    _ = try factory.network(root.file("usual"))
    for (name, problem) in [("small", "plays on 3x3"), ("fours", "a probability of 0.3 for 4s")] {
      let error = #expect(throws: LocatedError.self) { try factory.network(root.file(name)) }
      #expect(error?.kind == .usage && error?.problem.contains(problem) == true)
    }
    #expect(factory.rules == .standard)
  }

  @Test func memoryIsCheckedForAllPlayersInParallel() throws {
    let factory = PlayerFactory(network: network)
    let player = try specification("learned:depth=5")
    // Two tables of 16 MiB fit, three do not.
    try Memory.$assumed.withValue(Memory.reserve + 40 << 20) {
      _ = try factory.maker(of: player, inParallel: 2)
      for text in ["learned:depth=5", "learned:table=16M,depth=2,endgame=ROOT"] {
        let error = #expect(throws: LocatedError.self) {
          try factory.maker(of: specification(text), inParallel: 3)
        }
        #expect(error?.kind == .insufficientMemory)
      }
    }
  }

  @Test func tablesAreOpenedOnceAndCounted() throws {
    let shape = try #require(
      TableShape(locked: CellSet("###./###./..../....")!, goal: 5, target: .chain, margin: 0))
    _ = try TableBuilder(shape, directory: root.path, threads: 1).build { _ in }
    let players = [
      try specification("heuristic:depth=1,endgame=ROOT"),
      try specification("heuristic:depth=2,endgame=ROOT"),
      try specification("heuristic:depth=3,table=1M"),
    ]
    let factory = PlayerFactory()
    let index = try EndgameTable.indexByteCount(in: root.path, target: .chain)
    // One index for both players, and three tables of the third.
    #expect(index > 100_000)
    #expect(try factory.byteCount(of: players, inParallel: 3) == index + 3 << 20)
    let error = #expect(throws: LocatedError.self) {
      try Memory.$assumed.withValue(Memory.reserve + index - 1) {
        try factory.maker(of: players[0])
      }
    }
    #expect(error?.kind == .insufficientMemory)
    _ = try factory.maker(of: players[0])
    try FileManager.default.removeItem(atPath: root.file("\(shape.name).table"))
    _ = try factory.maker(of: players[1])
    #expect(try factory.byteCount(of: players, inParallel: 3) == 3 << 20)
  }
}
