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

  @OptionGroup var networks: BenchNetworkOptions

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

  @Option(
    "n", "Number of positions of a measurement, from the network's games (default: 200).",
    read: count(in: 1...1_000_000))
  var positions: Int?

  @Option("file", "Read the positions from this file, one board per line; - reads standard input.")
  var boards: String?

  @Option("list", "Numbers of threads, such as 1,2,4.", read: list(of: threadCount))
  var threads: [Int] = [1]

  @OptionGroup var measuring: BenchPlanOptions

  func validate() throws {
    try measuring.refuseLength("a search is measured over all --positions")
    try networks.requireOne("the positions come")
    if boards != nil && positions != nil {
      throw ValidationError("--boards names the positions itself. Leave out --positions.")
    }
    if !player.isEmpty && !(evaluator.isEmpty && depth.isEmpty) {
      throw ValidationError(
        "--player names its evaluator and depth itself. Leave out --evaluator and --depth.")
    }
  }

  func run() throws {
    let specifications = try texts.map { try PlayerSpecification($0) }
    for specification in specifications {
      if let model = specification.model {
        throw Failure(
          .usage,
          "--player \(specification): the network of learned players is set apart here. Name it with "
            + "--model \(model).")
      }
      try specification.requireMemory(inParallel: threads.max()!)
    }
    let states = try boards.map { file in
      try BoardText.lines(of: file).map { try $0.board(.standard) }
    }
    // A network is trained or read only if it is needed.
    let isNeeded = states == nil || specifications.contains { !$0.models.isEmpty }
    let network = isNeeded ? try networks.networks()[0] : nil
    if states != nil, let size = network?.boardSize, size < 4 {
      throw Failure(
        .usage, "--boards requires a network for 4x4 boards, but this one plays on \(size)x\(size)."
      )
    }
    let played = states ?? network?.recordedStates(count: positions ?? 200) ?? []
    try measuring.run(
      "search",
      specifications.flatMap {
        try Variant.searches($0, network: network, states: played, threads: threads)
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
