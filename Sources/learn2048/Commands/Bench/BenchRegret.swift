import ArgumentParser
import Basics
import Benchmarks
import Console
import Foundation
import Players

struct BenchRegret: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regret",
    abstract: "Measure how much worse the moves of searches are than those of a much longer one.",
    discussion: """
      On each position the reference values every move. The regret of a player is the value of the best \
      move minus that of the move it chooses, in points. Differences are to the first player, on the same \
      positions. The player learned uses the network of --model or --patterns.

        learn2048 bench regret --model default.compact --player learned:time=1 --player learned:depth=3
      """)

  @OptionGroup var source: BenchPositionOptions

  @Option(
    "player",
    repeatable: "Player to measure, such as learned:time=1. Repeatable (default: learned:depth=3).")
  var player: [String]

  @Option(
    help: ArgumentHelp("Player whose values count.", valueName: "player"),
    completion: .named("player"))
  var reference = "learned:time=100"

  @Option("n", "Number of threads, 1 to 1024 (default: one per core).", read: threadCount)
  var threads: Int?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let threads = threads ?? coreCount
    let players = try BenchPositionOptions.players(
      [reference] + (player.isEmpty ? ["learned:depth=3"] : player), inParallel: threads)
    guard players[0].hasComparableValues else {
      throw Failure(
        .usage,
        "--reference \(players[0]): this player does not give all moves values of one unit. Choose a search "
          + "without endgame, such as learned:time=100.")
    }
    let (network, states) = try source.read(for: players)
    let report = try RegretReport(
      reference: players[0], players: Array(players.dropFirst()), network: network, states: states,
      threads: threads
    ) {
      StandardError.shared.showCount($0, of: states.count, "positions")
    }
    StandardError.shared.endProgress()
    try output.show(report, text: report.table)
  }
}
