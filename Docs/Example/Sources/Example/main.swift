// Loads a model, asks it for a move, lets it play a game, and trains a small network.
//
// usage: Example MODEL

import ModelFiles
import Game2048
import NTupleNetwork
import Play
import Search
import Training

// A model: a weight file of any format.
let model = try LoadedModel.read(CommandLine.arguments.dropFirst().first ?? "default.compact")
let rules = model.rules

// A move: the best of a board, by a search of 2 plies.
let board = try Board(text: "2 0 4 8  0 0 16 32  0 2 64 128  0 0 4 512")
var player = ExpectimaxPlayer(
  name: "the model at 2 plies",
  search: Expectimax(model.network, rules: rules, settings: SearchSettings(depth: .plies(2))))
let decision = player.decide(on: board)
for move in decision.moves {
  print(move.direction, move.value.map { "\($0.rounded()) points" } ?? "not legal")
}
print("best move:", decision.best.map { "\($0)" } ?? "none")

// A game, greedily: the player slides, the game adds a tile.
var source = Xoshiro256(seed: 1)
var state = rules.startBoard(using: &source)
var (score, moves) = (0, 0)
let greedy = GreedyNetworkPlayer(network: model.network, rules: rules)
while let direction = greedy.chooseMove(from: state), let move = rules.move(state, direction) {
  score += move.reward
  moves += 1
  state = move.afterstate
  rules.spawn(on: &state, using: &source)
}
print("a greedy game: \(score) points in \(moves) moves")

// A network of two patterns, trained for 2,000 games. No files are written.
var configuration = TrainingConfiguration()
configuration.patterns = ["0123", "4567"]
configuration.episodes = 2_000
let network = NTupleNetwork(try configuration.networkShape())
let team = SelfPlayTeam(network: network, configuration: configuration)
for episodes in stride(from: 500, through: 2_000, by: 500) {
  team.ledger.beginReport()
  team.play(until: episodes)
  let mean = team.ledger.snapshot.sinceReport.meanScore
  print("after \(episodes) games: a mean score of \(Int(mean)) in the last 500")
}
