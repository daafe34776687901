import ArgumentParser
import Benchmarks
import Players

struct BenchSearch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Measure search on positions from games of a trained network.",
    discussion: """
      Without --player, the command measures an expectimax search with each --evaluator at each --depth. \
      The player learned uses the network that the positions come from, or with --boards the network of \
      --model or --patterns.
      """)

  @OptionGroup var source: BenchPositionOptions

  @Option(
    "player",
    repeatable: "Player to measure, such as expectimax:evaluator=rowScore,depth=3. Repeatable.")
  var player: [String]

  @Option(
    "name",
    repeatable: """
      Evaluator of the search: learned, or a hand-tuned one. Repeatable (default: learned and rowScore).
      """)
  var evaluator: [String]

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Search depth in plies, 1 to 8. Repeatable (default: 2 and 3).", valueName: "plies"),
    transform: searchDepth)
  var depth: [Int] = []

  @Option("list", "Numbers of threads, such as 1,2,4.", read: list(of: threadCount))
  var threads: [Int] = [1]

  @OptionGroup var measuring: BenchPlanOptions

  func validate() throws {
    if !player.isEmpty && !(evaluator.isEmpty && depth.isEmpty) {
      throw ValidationError(
        "--player names its evaluator and depth itself. Leave out --evaluator and --depth.")
    }
  }

  func run() throws {
    let players = try BenchPositionOptions.players(texts, inParallel: threads.max()!)
    let (network, states) = try source.read(for: players)
    try measuring.run(
      "search",
      players.flatMap {
        try Variant.searches($0, network: network, states: states, threads: threads)
      })
  }

  private var texts: [String] {
    if !player.isEmpty { return player }
    return (evaluator.isEmpty ? ["learned", "rowScore"] : evaluator).flatMap { evaluator in
      (depth.isEmpty ? [2, 3] : depth).map { depth in
        evaluator == "learned"
          ? "learned:depth=\(depth)" : "expectimax:evaluator=\(evaluator),depth=\(depth)"
      }
    }
  }
}
