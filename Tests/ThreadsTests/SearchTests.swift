import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Play
@testable import Search

private func searchSettings(_ text: String) throws -> SearchSettings {
  try #require(PlayerSpecification("heuristic:\(text)").search)
}

@Test func threadsSearchNoMoveOfTheRootThatIsGivenUp() throws {
  let evaluator = CornerChain()
  let board = try Board(text: "EDC3BA9221100001")
  let least = evaluator.hopelessValue(from: board)
  let moves = MoveEvaluation.all(from: board, rules: .standard) { _, afterstate, _ in
    evaluator.value(of: afterstate)
  }
  #expect(moves.contains { $0.legal && ($0.value ?? 0) < least })
  let nodes = try ["table=0", "table=0,threads=2"].map {
    Expectimax(evaluator, settings: try searchSettings("depth=3,\($0)")).search(board).nodes
  }
  // Threads do not count the moves of the root.
  #expect(nodes[1] == nodes[0] - moves.count(where: \.legal))
}

/// Returns the value of an afterstate by definition, where every spawned 4 costs one layer, except in the last one.
private func delayedValue(of afterstate: Board, layers: Int, _ network: NTupleNetwork) -> Double {
  if layers == 0 { return network.value(of: afterstate) }
  var sum = 0.0
  Rules.standard.forEachSpawn(on: afterstate) { board, probability in
    let isFour = board.planes ^ afterstate.planes > 0xFFFF
    let left = layers - (isFour && layers > 1 ? 2 : 1)
    let values = Direction.allCases.compactMap { direction in
      Rules.standard.move(board, direction).map { afterstate, reward in
        Double(reward) + delayedValue(of: afterstate, layers: left, network)
      }
    }
    sum += probability * (values.max() ?? 0)
  }
  return sum
}

@Test(arguments: ["table=0", "table=1M", "table=1M,threads=2"])
func delayedFoursCostALayer(text: String) throws {
  let network = smallNetwork()
  for (plies, board) in [(3, "1230402302346003"), (4, "1234543212345603")] {
    let board = try Board(text: board)
    let search = Expectimax(network, settings: try searchSettings("time=1e6,\(text)"))
    var result = SearchResult()
    let root = SearchRoot(board, legal: 15, rules: .standard, hopelessValue: -.infinity)
    var deadline = UInt64.max
    search.run(
      SearchPass(plies: plies, threshold: 0, delaysFours: true), root, &deadline, &result)
    for direction in Direction.allCases {
      guard let move = Rules.standard.move(board, direction) else { continue }
      let expected =
        Double(move.reward) + delayedValue(of: move.afterstate, layers: plies - 1, network)
      #expect(
        abs(result.values[direction.rawValue] - expected) < 1e-5 * max(1, abs(expected)))
    }
  }
}

@Test(arguments: [
  "depth=4,limits=2:2", "depth=4,limits=5:1", "depth=4,limits=3:3", "depth=4,limits=0:3/3:2",
])
func threadsKeepToLimits(text: String) throws {
  for board in try ["1230402302346003", "1234543212345603"].map({ try Board(text: $0) }) {
    let plain = Expectimax(smallNetwork(), settings: try searchSettings(text))
    let threads = Expectimax(smallNetwork(), settings: try searchSettings("\(text),threads=2"))
    #expect(plain.search(board).values == threads.search(board).values)
  }
}

@Test(arguments: ["simulations=23", "simulations=9,depth=4,evaluator=compositeA"])
func threadsChangeNothing(options: String) throws {
  for board in SampleBoards.random(5, largestExponent: 8) {
    func values(_ threads: Int) throws -> [Double?] {
      let text = "montecarlo:\(options),threads=\(threads)"
      var player = try PlayerFactory().player(PlayerSpecification(text), seed: 1)
      return player.decide(on: board).moves.map(\.value)
    }
    let expected = try values(1)
    for threads in [2, 3, 40] { #expect(try values(threads) == expected) }
  }
}
