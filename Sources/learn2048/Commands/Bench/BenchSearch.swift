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
    parsing: .singleValue,
    help: "Player to measure, such as expectimax:evaluator=rowScore,depth=3. Repeatable.")
  var player: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Evaluator of the search: learned, or a hand-tuned one. Repeatable (default: learned and rowScore).",
      valueName: "name"))
  var evaluator: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Search depth in plies, 1 to 8. Repeatable (default: 2 and 3).", valueName: "plies"),
    transform: searchDepth)
  var depth: [Int] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Number of positions of a measurement, from the network's games (default: 200).",
      valueName: "n"),
    transform: positiveCountToAMillion)
  var positions: Int?

  @Option(
    help: ArgumentHelp(
      "Read the positions from this file, one board per line; - reads standard input.",
      valueName: "file"))
  var boards: String?

  @Option(
    help: ArgumentHelp("Numbers of threads, such as 1,2,4.", valueName: "list"),
    transform: threadCounts)
  var threads = CountList(values: [1])

  @OptionGroup var measuring: BenchPlanOptions

  func validate() throws {
    if measuring.seconds != nil || measuring.games != nil {
      throw ValidationError(
        "a search is measured over all --positions. Leave out --seconds and --games.")
    }
    if networks.patterns.count + networks.model.count > 1 {
      throw ValidationError(
        "the positions come from one network. Name one with --patterns or --model.")
    }
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
    try check(specifications)
    let states = try boards.map { file in
      try BoardTexts(arguments: [], options: [], file: file).entries.map {
        try BoardTexts.board($0, rules: .standard)
      }
    }
    // A network is trained or read only if it is needed.
    let isNeeded = states == nil || specifications.contains { !$0.models.isEmpty }
    let network = isNeeded ? try networks.networks()[0] : nil
    if states != nil, let size = network?.boardSize, size < 4 {
      throw Failure(
        .usage, "--boards requires a network for 4x4 boards, but this one plays on \(size)x\(size)."
      )
    }
    try measuring.show(
      SearchBenchmark.run(
        specifications, network: network,
        states: states ?? network.map { SearchBenchmark.states(of: $0, count: positions ?? 200) }
          ?? [],
        threads: threads.values, plan: measuring.plan, progress: measuring.showProgress))
  }

  /// Throws for players that would be measured as something else, or not at all.
  private func check(_ specifications: [PlayerSpecification]) throws {
    for specification in specifications {
      if let model = specification.models.compactMap(\.self).first {
        throw Failure(
          .usage,
          "--player \(specification): the network of learned players is set apart here. Name it with "
            + "--model \(model).")
      }
      try specification.requireMemory(inParallel: threads.values.max()!)
    }
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
