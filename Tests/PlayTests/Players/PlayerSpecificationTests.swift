import Foundation
import Game2048
import NTupleNetwork
import Testing

@testable import Basics
@testable import Play
@testable import Search

private func search(
  _ kind: PlayerKind, _ settings: SearchSettings, _ evaluator: EvaluatorName
) -> PlayerSpecification {
  PlayerSpecification(kind: kind, search: settings, evaluator: evaluator)
}

/// A search of this depth, and nothing else.
private func plain(_ depth: SearchDepth) -> SearchSettings {
  var settings = SearchSettings(depth: depth)
  if depth == .auto { settings.probability = 1e-4 }
  return settings
}

@Test(arguments: [
  ("random", PlayerSpecification(kind: .random)), ("greedy", PlayerSpecification(kind: .greedy)),
  ("rules", PlayerSpecification(kind: .rules)),
  ("expectimax", search(.expectimax, plain(.plies(3)), .rowScore)),
  ("expectimax:evaluator=snakeLinear", search(.expectimax, plain(.plies(3)), .snakeLinear)),
  ("expectimax:depth=8,evaluator=compositeB", search(.expectimax, plain(.plies(8)), .compositeB)),
  ("heuristic", search(.heuristic, plain(.plies(3)), .rowScore)),
  ("heuristic:depth=1", search(.heuristic, plain(.plies(1)), .rowScore)),
  ("heuristic:depth=auto", search(.heuristic, plain(.auto), .rowScore)),
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

private let evaluatorNames = EvaluatorName.allCases.map(\.rawValue)
private let searchKeys = [
  "depth", "time", "average", "nodes", "probability", "limits", "table", "threads", "downgrade",
  "tables", "endgame", "handover",
]

private let mistakes: [(String, PlayerSpecificationError)] = [
  ("gredy", .unknownPlayer("gredy")), ("xyz", .unknownPlayer("xyz")), ("", .unknownPlayer("")),
  ("rules:depth=2", .unknownKey("depth", player: "rules", allowed: [])),
  ("heuristic:dpeth=2", .unknownKey("dpeth", player: "heuristic", allowed: searchKeys)),
  ("heuristic:model=a", .unknownKey("model", player: "heuristic", allowed: searchKeys)),
  ("heuristic:depth=9", badDepth("9", player: "heuristic")),
  ("learned:depth=0", badDepth("0", player: "learned")),
  ("expectimax:depth=", badDepth("", player: "expectimax")),
  ("expectimax:depth=2,depth=3", .repeatedKey("depth", player: "expectimax")),
  ("expectimax:3", .notAnOption("3", player: "expectimax", allowed: ["evaluator"] + searchKeys)),
  (
    "expectimax:evaluator=rowscore",
    .badValue("rowscore", key: "evaluator", player: "expectimax", allowed: evaluatorNames)
  ),
  ("learned:model=", .badValue("", key: "model", player: "learned", allowed: ["a name or path"])),
  (
    "montecarlo:policy=mergin",
    .badValue(
      "mergin", key: "policy", player: "montecarlo", allowed: ["random", "merging", "smooth"])
  ),
  (
    "montecarlo:simulations=0",
    .badValue("0", key: "simulations", player: "montecarlo", allowed: ["1 to 1000000"])
  ),
  (
    "montecarlo:depth=0",
    .badValue("0", key: "depth", player: "montecarlo", allowed: ["1 to 10000", "end"])
  ),
  (
    "montecarlo:adaptive=1",
    .badValue("1", key: "adaptive", player: "montecarlo", allowed: ["yes", "no"])
  ),
]

private func badDepth(_ value: String, player: String) -> PlayerSpecificationError {
  .badValue(value, key: "depth", player: player, allowed: ["1 to 8", "auto"])
}

@Test(arguments: mistakes)
func mistakesAreLocated(text: String, expected: PlayerSpecificationError) {
  #expect(throws: expected) { try PlayerSpecification(text) }
}

@Test(arguments: [
  ("gredy", "unknown player 'gredy'. Did you mean 'greedy'? Players: random, greedy, rules, "),
  ("xyz", "unknown player 'xyz'. Players: "),
  (
    "heuristic:dpeth=2", "player 'heuristic' has no option 'dpeth'. Did you mean 'depth'? Options: "
  ),
  ("rules:depth=2", "player 'rules' takes no options. Remove 'depth'."),
  ("learned:time=0", "player 'learned': time cannot be '0'. Allowed: 0.01 to 3600000 ms"),
  (
    "expectimax:evaluator=rowscore",
    "player 'expectimax': evaluator cannot be 'rowscore'. Did you mean 'rowScore'? Allowed: "
  ),
])
func messagesNameThePlaceAndTheRemedy(text: String, start: String) {
  let error = #expect(throws: PlayerSpecificationError.self) { try PlayerSpecification(text) }
  #expect(error?.description.hasPrefix(start) == true, "\(String(describing: error))")
}

@Test(arguments: [
  ("random", false), ("rules", false), ("greedy", true), ("heuristic:depth=1", true),
  ("expectimax:evaluator=emptyCells,depth=2", true), ("montecarlo:simulations=1", true),
])
func playersHaveValuesOrNone(text: String, haveValues: Bool) throws {
  let specification = try PlayerSpecification(text)
  #expect(specification.hasComparableValues == haveValues)
  var player = try PlayerFactory().player(specification, seed: 1)
  let moves = player.decide(on: try Board(text: "1230402302346003")).moves.filter(\.legal)
  #expect(!moves.isEmpty && moves.allSatisfy { ($0.value != nil) == haveValues })
}

@Test func endgamePlayersHaveProbabilitiesAmongTheirValues() throws {
  #expect(try !PlayerSpecification("learned:endgame=a").hasComparableValues)
  #expect(try PlayerSpecification("learned:tables=a").hasComparableValues)
}

@Test func playersAreMade() throws {
  let network = NTupleNetwork(NetworkShape(patterns: [try Pattern("0123")]))
  let factory = PlayerFactory(defaultModel: "missing")
  factory.add(network, as: "known")
  func player(_ text: String) throws -> any Player {
    try factory.player(PlayerSpecification(text), seed: 1)
  }
  func missingModel(of text: String) -> String? {
    #expect(throws: LocatedError.self) { try player(text) }?.path
  }
  #expect(try player("random") is RandomPlayer)
  #expect(try player("greedy") is GreedyPlayer)
  #expect(try player("rules") is RulePlayer)
  let heuristic = try player("heuristic") as? ExpectimaxPlayer
  #expect(heuristic?.name == "heuristic:depth=3" && heuristic?.settings == plain(.plies(3)))
  let auto = try player("heuristic:depth=auto") as? ExpectimaxPlayer
  #expect(auto?.settings.depth == .auto && auto?.settings.probability == 1e-4)
  #expect(
    (try player("learned:model=known") as? GreedyNetworkPlayer<NTupleNetwork>)?.network === network)
  // What they search with: the values of their moves.
  let board = try Board(text: "1230402302346003")
  func moves(_ evaluator: some Evaluator) -> [MoveEvaluation] {
    let search = Expectimax(evaluator, settings: plain(.plies(2)))
    return ExpectimaxPlayer(name: "", search: search).decide(on: board).moves
  }
  var snake = try player("expectimax:evaluator=snakeLinear,depth=2")
  #expect(snake.decide(on: board).moves == moves(SnakeLinear()))
  var deep = try player("learned:model=known,depth=2")
  #expect(deep.decide(on: board).moves == moves(network))
  #expect(missingModel(of: "learned") == "missing")
  #expect(missingModel(of: "learned:model=other,depth=2") == "other")
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

@Test(arguments: ["learned:", "learned", "learned:downgrade=1024"])
func optionsAreAddedToATextOfAnyForm(text: String) throws {
  let options = [("depth", "3"), ("endgame", "a,b")]
  let player = try PlayerSpecification(text, adding: options)
  #expect(player.search?.depth == .plies(3) && player.endgame == "a,b")
  #expect(throws: PlayerSpecificationError.repeatedKey("depth", player: "learned")) {
    try PlayerSpecification("learned:depth=2", adding: options)
  }
}

@Test(arguments: [
  "random", "heuristic:depth=4,probability=0.01,limits=6:3/10:2", "expectimax:evaluator=maxTile",
  "montecarlo:simulations=7,policy=smooth,depth=6,evaluator=snakeLinear",
  "learned:model=a,depth=auto,table=1M,endgame=b,handover=2048", "learned:average=3,downgrade=1024",
])
func specificationsAreSentAsTheyAre(text: String) throws {
  let player = try PlayerSpecification(text)
  let sent = try JSONDecoder().decode(
    PlayerSpecification.self, from: JSONEncoder().encode(player))
  #expect(sent == player)
}

@Test(arguments: [
  ("gredy", "greedy"), ("GREEDY", "greedy"), ("radnom", "random"), ("hueristic", "heuristic"),
  ("learn", "learned"), ("monte-carlo", "montecarlo"), ("alphabeta", nil), ("", nil),
])
func nearestNames(text: String, expected: String?) {
  #expect(nearestName(to: text, in: PlayerKind.allCases.map(\.name)) == expected)
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
  ("heuristic:time=0", "time"), ("heuristic:time=1s", "time"), ("heuristic:nodes=1.5", "nodes"),
  ("heuristic:probability=2", "probability"), ("heuristic:table=1T", "table"),
  ("heuristic:table=64", "table"), ("heuristic:table=1025G", "table"),
  ("heuristic:nodes=1e16", "nodes"), ("heuristic:threads=0", "threads"),
  ("heuristic:downgrade=3000", "downgrade"), ("heuristic:limits=17:2", "limits"),
  ("heuristic:limits=3", "limits"), ("heuristic:limits=3:0", "limits"),
  ("heuristic:limits=6:3/6:2", "limits"),
  ("heuristic:limits=", "limits"), ("montecarlo:evaluator=", "evaluator"),
  ("montecarlo:model=", "model"), ("montecarlo:threads=257", "threads"),
  ("montecarlo:tries=101", "tries"),
])
func valuesOutsideTheRangeAreRefused(text: String, key: String) throws {
  let error = #expect(throws: PlayerSpecificationError.self) { try PlayerSpecification(text) }
  guard case .badValue(_, key, _, _) = error else {
    Issue.record("\(String(describing: error))")
    return
  }
}

@Test(arguments: [
  ("learned:table=1M", "depth=1 and table"), ("learned:threads=2", "depth=1 and threads"),
  ("heuristic:depth=1,time=1", "depth=1 and time"),
  ("heuristic:depth=1,average=1", "depth=1 and average"),
  ("heuristic:time=1,average=1", "average and time"),
  ("heuristic:depth=auto,nodes=5", "depth=auto and nodes"),
  ("heuristic:depth=auto,probability=0", "depth=auto and probability=0"),
  ("heuristic:nodes=100,threads=2", "nodes and threads"),
  ("montecarlo:tries=3,policy=smooth", "tries and policy=smooth"),
  ("montecarlo:evaluator=rowScore,model=a", "evaluator and model"),
  ("montecarlo:evaluator=rowScore,depth=end", "depth=end and evaluator"),
  ("montecarlo:model=a,depth=end", "depth=end and model"),
])
func optionsThatExcludeEachOtherAreNamed(text: String, options: String) throws {
  let error = #expect(throws: PlayerSpecificationError.self) { try PlayerSpecification(text) }
  guard case .conflict(let problem, _) = error else {
    Issue.record("\(String(describing: error))")
    return
  }
  #expect(problem.hasPrefix("\(options) exclude each other: "))
}

@Test func anOptionThatRequiresAnotherNamesIt() throws {
  let error = #expect(throws: PlayerSpecificationError.self) {
    try PlayerSpecification("heuristic:handover=64")
  }
  guard case .conflict(let problem, _) = error else {
    Issue.record("\(String(describing: error))")
    return
  }
  #expect(problem.hasPrefix("handover requires endgame: "))
}

@Test(arguments: ["heuristic:nodes=9,threads=1", "montecarlo:tries=0,policy=smooth"])
func optionsWithTheirDefaultsExcludeNothing(text: String) {
  #expect(throws: Never.self) { try PlayerSpecification(text) }
}
