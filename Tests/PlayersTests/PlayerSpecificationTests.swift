import Evaluators
import Game2048
import NTupleNetwork
import Testing

@testable import Basics
@testable import Players
@testable import Search

private func evaluator(_ name: String) -> EvaluatorName { EvaluatorName(rawValue: name)! }

/// A search of this depth, and nothing else.
private func plain(_ depth: SearchDepth) -> SearchSettings {
  var settings = SearchSettings(depth: depth)
  if depth == .auto { settings.probability = 1e-4 }
  return settings
}

@Test(arguments: [
  ("random", PlayerSpecification.random), ("greedy", .greedy), ("rules", .rules),
  ("expectimax", .expectimax(evaluator: .rowScore, search: plain(.plies(3)))),
  (
    "expectimax:evaluator=snakeLinear",
    .expectimax(evaluator: evaluator("snakeLinear"), search: plain(.plies(3)))
  ),
  (
    "expectimax:depth=8,evaluator=compositeB",
    .expectimax(evaluator: evaluator("compositeB"), search: plain(.plies(8)))
  ),
  ("heuristic", .heuristic(search: plain(.plies(3)))),
  ("heuristic:depth=1", .heuristic(search: plain(.plies(1)))),
  ("heuristic:depth=auto", .heuristic(search: plain(.auto))),
  ("learned", .learned(model: nil, search: plain(.plies(1)))),
  ("learned:depth=2", .learned(model: nil, search: plain(.plies(2)))),
  (
    "learned:model=Models/a=b@latest,depth=3",
    .learned(model: "Models/a=b@latest", search: plain(.plies(3)))
  ),
  ("learned:model=C:model.w", .learned(model: "C:model.w", search: plain(.plies(1)))),
])
func playersAreRead(text: String, expected: PlayerSpecification) throws {
  #expect(try PlayerSpecification(text) == expected)
  // What it is called reads as the same player.
  #expect(try PlayerSpecification(expected.description) == expected)
}

private let evaluatorNames = EvaluatorName.allCases.map(\.rawValue).joined(separator: ", ")

private let mistakes: [(String, String)] = [
  (
    "gredy",
    "no player is called 'gredy' (did you mean 'greedy'?); players: random, greedy, rules, "
      + "montecarlo, expectimax, heuristic, learned"
  ),
  (
    "xyz",
    "no player is called 'xyz'; players: random, greedy, rules, montecarlo, expectimax, heuristic, "
      + "learned"
  ),
  ("rules:depth=2", "player 'rules' takes no options, but was given 'depth'"),
  (
    "heuristic:dpeth=2",
    "player 'heuristic' has no option 'dpeth' (did you mean 'depth'?); options: depth, time, nodes, "
      + "probability, limits, table, threads, downgrade"
  ),
  (
    "heuristic:model=a",
    "player 'heuristic' has no option 'model'; options: depth, time, nodes, "
      + "probability, limits, table, threads, downgrade"
  ),
  (
    "heuristic:depth=9",
    "player 'heuristic': depth cannot be '9'; allowed: 1, 2, 3, 4, 5, 6, 7, 8, auto"
  ),
  (
    "learned:depth=0",
    "player 'learned': depth cannot be '0'; allowed: 1, 2, 3, 4, 5, 6, 7, 8, auto"
  ),
  (
    "expectimax:depth=",
    "player 'expectimax': depth cannot be ''; allowed: 1, 2, 3, 4, 5, 6, 7, 8, auto"
  ),
  (
    "expectimax:depth=2,depth=3", "player 'expectimax': option 'depth' is given twice"
  ),
  (
    "expectimax:3",
    "player 'expectimax': '3' is no option; write key=value with one of: evaluator, depth, time, "
      + "nodes, probability, limits, table, threads, downgrade"
  ),
  (
    "expectimax:evaluator=rowscore",
    "player 'expectimax': evaluator cannot be 'rowscore' (did you mean 'rowScore'?); allowed: "
      + evaluatorNames
  ),
  ("learned:model=", "player 'learned': model cannot be ''; allowed: a name or path"),
  (
    "",
    "no player is called ''; players: random, greedy, rules, montecarlo, expectimax, heuristic, "
      + "learned"
  ),
  (
    "montecarlo:policy=mergin",
    "player 'montecarlo': policy cannot be 'mergin' (did you mean 'merging'?); allowed: random, "
      + "merging, smooth"
  ),
  (
    "montecarlo:simulations=0",
    "player 'montecarlo': simulations cannot be '0'; allowed: 1 to 1000000"
  ),
  (
    "montecarlo:depth=0", "player 'montecarlo': depth cannot be '0'; allowed: 1 to 10000, end"
  ),
  (
    "montecarlo:adaptive=1", "player 'montecarlo': adaptive cannot be '1'; allowed: yes, no"
  ),
  (
    "montecarlo:tries=3,policy=smooth", "player 'montecarlo': tries goes with policy=random only"
  ),
  (
    "montecarlo:evaluator=rowScore,model=a",
    "player 'montecarlo': evaluator and model exclude each other"
  ),
  (
    "montecarlo:evaluator=rowScore,depth=end",
    "player 'montecarlo': games simulated to their end need no evaluator or model: name a depth "
      + "in plies"
  ),
]

@Test(arguments: mistakes)
func mistakesAreExplained(text: String, message: String) {
  let error = #expect(throws: PlayerSpecificationError.self) { try PlayerSpecification(text) }
  #expect(error?.description == message)
}

@Test func playersAreMade() throws {
  struct Missing: Error, Equatable { let model: String? }
  let network = NTupleNetwork(NetworkShape(patterns: [try Pattern("0123")]))
  func player(_ text: String) throws -> any Player {
    try PlayerSpecification(text).makePlayer(seed: 1) { model in
      if model == "known" { return network }
      throw Missing(model: model)
    }
  }
  #expect(try player("random") is RandomPlayer)
  #expect(try player("greedy") is GreedyPlayer)
  #expect(try player("rules") is RulePlayer)
  let heuristic = try player("heuristic") as? ExpectimaxPlayer
  #expect(heuristic?.name == "heuristic:depth=3" && heuristic?.settings == plain(.plies(3)))
  let auto = try player("heuristic:depth=auto") as? ExpectimaxPlayer
  #expect(auto?.settings.depth == .auto && auto?.settings.probability == 1e-4)
  #expect((try player("learned:model=known") as? GreedyNetworkPlayer)?.network === network)
  // What they search with: the values of their moves.
  let board = try Board(text: "1230402302346003")
  let snake = try player("expectimax:evaluator=snakeLinear,depth=2").evaluateMoves(board)
  #expect(
    snake == Expectimax(SnakeLinear(), settings: plain(.plies(2))).evaluateMoves(board))
  let deep = try player("learned:model=known,depth=2").evaluateMoves(board)
  #expect(deep == Expectimax(network, settings: plain(.plies(2))).evaluateMoves(board))
  #expect(throws: Missing(model: nil)) { try player("learned") }
  #expect(throws: Missing(model: "other")) { try player("learned:model=other,depth=2") }
}

@Test(arguments: [
  ("montecarlo", "montecarlo:simulations=100"),
  ("montecarlo:depth=end,tries=0,adaptive=no,threads=1", "montecarlo:simulations=100"),
  (
    "montecarlo:depth=6", "montecarlo:simulations=100,depth=6,evaluator=rowScore"
  ),
  (
    "montecarlo:evaluator=snakeLinear,simulations=30",
    "montecarlo:simulations=30,depth=10,evaluator=snakeLinear"
  ),
  (
    "montecarlo:threads=2,tries=3,adaptive=yes,model=a",
    "montecarlo:simulations=100,depth=10,model=a,tries=3,adaptive=yes,threads=2"
  ),
  ("montecarlo:policy=smooth", "montecarlo:simulations=100,policy=smooth"),
  ("montecarlo:simulations=2.5e3,tries=1e1", "montecarlo:simulations=2500,tries=10"),
])
func monteCarloPlayersAreRead(text: String, canonical: String) throws {
  let specification = try PlayerSpecification(text)
  #expect(specification.description == canonical)
  #expect(try PlayerSpecification(canonical) == specification)
  #expect(specification.models == (canonical.contains("model=a") ? ["a"] : []))
}

@Test func aFactoryLoadsItsModelOnce() throws {
  let network = NTupleNetwork(NetworkShape(patterns: [try Pattern("0123")]))
  var loads = 0
  let make = try PlayerSpecification("learned:depth=2").makeFactory { _ in
    loads += 1
    return network
  }
  for seed in 0..<3 { #expect(make(UInt64(seed)).name == "learned:depth=2") }
  #expect(loads == 1)
}

@Test(arguments: [
  ("gredy", "greedy"), ("GREEDY", "greedy"), ("radnom", "random"), ("hueristic", "heuristic"),
  ("learn", "learned"), ("monte-carlo", "montecarlo"), ("alphabeta", nil), ("", nil),
])
func nearestNames(text: String, expected: String?) {
  #expect(nearestName(to: text, in: PlayerSpecification.playerNames) == expected)
}

@Test(arguments: [
  ("heuristic:time=1ms", "heuristic:time=1"), ("heuristic:time=0.5", "heuristic:time=0.5"),
  ("learned:depth=4,time=10", "learned:depth=4,time=10"),
  ("learned:nodes=2e4,table=64m", "learned:nodes=20000,table=64M"),
  ("learned:depth=3,table=1048576,threads=2", "learned:depth=3,table=1M,threads=2"),
  ("learned:depth=3,table=0,threads=1", "learned:depth=3,table=0"),
  ("learned:depth=3,table=1000", "learned:depth=3,table=1000"),
  ("learned:downgrade=32768", "learned:depth=1,downgrade=32768"),
  ("expectimax:depth=auto,probability=1e-4", "expectimax:evaluator=rowScore,depth=auto"),
  ("heuristic:depth=auto,probability=0.001", "heuristic:depth=auto,probability=0.001"),
  ("heuristic:depth=5,limits=10:2/6:3", "heuristic:depth=5,limits=6:3/10:2"),
  ("heuristic:depth=5,limits=0:4/3:6/8:2", "heuristic:depth=5,limits=0:4/8:2"),
  // Counts are written as anywhere.
  ("learned:nodes=250_000,table=1_024K", "learned:nodes=250000,table=1M"),
  ("heuristic:depth=0.5e1,limits=1e1:2", "heuristic:depth=5,limits=10:2"),
  ("heuristic:depth=3,threads=1e1,downgrade=2_048", "heuristic:depth=3,threads=10,downgrade=2048"),
])
func searchesAreReadAndNamed(text: String, name: String) throws {
  let player = try PlayerSpecification(text)
  #expect(player.description == name)
  #expect(try PlayerSpecification(name) == player)
}

@Test(arguments: [
  ("heuristic:time=0", "time cannot be '0'; allowed: 0.01 to 3600000, in ms"),
  ("heuristic:time=1s", "time cannot be '1s'; allowed: 0.01 to 3600000, in ms"),
  ("heuristic:nodes=1.5", "nodes cannot be '1.5'; allowed: 1 to 1e15"),
  ("heuristic:probability=2", "probability cannot be '2'; allowed: 0 to 1"),
  ("heuristic:table=1T", "table cannot be '1T'; allowed: 0, bytes from 128 on, K, M or G of them"),
  ("heuristic:table=64", "table cannot be '64'; allowed: 0, bytes from 128 on, K, M or G of them"),
  (
    "heuristic:table=1025G",
    "table cannot be '1025G'; allowed: 0, bytes from 128 on, K, M or G of them, as 64M, at most"
  ),
  ("heuristic:nodes=1e16", "nodes cannot be '1e16'; allowed: 1 to 1e15"),
  ("heuristic:threads=0", "threads cannot be '0'; allowed: 1 to 256"),
  ("heuristic:downgrade=3000", "downgrade cannot be '3000'; allowed: 1024, 2048"),
  ("heuristic:limits=17:2", "limits cannot be '17:2'; allowed: CELLS:PLIES"),
  ("heuristic:limits=3", "limits cannot be '3'; allowed: CELLS:PLIES"),
  ("heuristic:limits=3:0", "limits cannot be '3:0'; allowed: CELLS:PLIES"),
  ("learned:table=1M", "depth=1 and table exclude each other"),
  ("learned:threads=2", "depth=1 and threads exclude each other"),
  ("heuristic:depth=1,time=1", "depth=1 and time exclude each other"),
  ("heuristic:depth=auto,nodes=5", "depth=auto and nodes exclude each other"),
  ("heuristic:depth=auto,probability=0", "depth=auto and probability=0 exclude each other"),
  ("heuristic:nodes=100,threads=2", "nodes and threads exclude each other"),
])
func searchesThatCannotBeAreExplained(text: String, message: String) throws {
  let error = #expect(throws: PlayerSpecificationError.self) { try PlayerSpecification(text) }
  let player = try #require(text.split(separator: ":").first)
  #expect(
    error?.description.hasPrefix("player '\(player)': \(message)") == true,
    "\(String(describing: error))")
}
