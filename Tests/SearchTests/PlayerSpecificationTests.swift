import Evaluators
import Game2048
import NTupleNetwork
import Search
import Testing

private func evaluator(_ name: String) -> EvaluatorName { EvaluatorName(rawValue: name)! }

@Test(arguments: [
  ("random", PlayerSpecification.random), ("greedy", .greedy), ("rules", .rules),
  ("expectimax", .expectimax(evaluator: .rowScore, depth: .plies(3))),
  (
    "expectimax:evaluator=snakeLinear",
    .expectimax(evaluator: evaluator("snakeLinear"), depth: .plies(3))
  ),
  (
    "expectimax:depth=8,evaluator=compositeB",
    .expectimax(evaluator: evaluator("compositeB"), depth: .plies(8))
  ),
  ("heuristic", .heuristic(depth: .plies(3))), ("heuristic:depth=1", .heuristic(depth: .plies(1))),
  ("heuristic:depth=auto", .heuristic(depth: .auto)),
  ("learned", .learned(model: nil, depth: .plies(1))),
  ("learned:depth=2", .learned(model: nil, depth: .plies(2))),
  (
    "learned:model=Models/a=b@latest,depth=3",
    .learned(model: "Models/a=b@latest", depth: .plies(3))
  ),
  ("learned:model=C:model.w", .learned(model: "C:model.w", depth: .plies(1))),
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
    "player 'heuristic' has no option 'dpeth' (did you mean 'depth'?); options: depth"
  ),
  (
    "heuristic:model=a", "player 'heuristic' has no option 'model'; options: depth"
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
    "player 'expectimax': '3' is no option; write key=value with one of: evaluator, depth"
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
  let heuristic = try player("heuristic") as? ExpectimaxPlayer<RowScore>
  #expect(heuristic?.name == "heuristic:depth=3")
  #expect(heuristic?.search.depth == .plies(3) && heuristic?.search.probabilityThreshold == 0)
  let auto = try player("heuristic:depth=auto") as? ExpectimaxPlayer<RowScore>
  #expect(auto?.search.depth == .auto && auto?.search.probabilityThreshold == 1e-4)
  let snake = try player("expectimax:evaluator=snakeLinear,depth=2")
  #expect(snake is ExpectimaxPlayer<SnakeLinear>)
  #expect((try player("learned:model=known") as? GreedyNetworkPlayer)?.network === network)
  let deep = try player("learned:model=known,depth=2") as? ExpectimaxPlayer<NTupleNetwork>
  #expect(deep?.search.evaluator === network && deep?.search.depth == .plies(2))
  #expect(try player("montecarlo") is MonteCarloPlayer<PointsAlone>)
  #expect(try player("montecarlo:evaluator=compositeA") is MonteCarloPlayer<CompositeA>)
  #expect(try player("montecarlo:model=known") is MonteCarloPlayer<NTupleNetwork>)
  #expect(throws: Missing(model: "other")) { try player("montecarlo:model=other") }
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
