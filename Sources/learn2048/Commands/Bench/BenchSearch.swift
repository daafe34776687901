import ArgumentParser
import Benchmarks
import Players

struct BenchSearch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Measure players on positions from games of a trained network.",
    discussion: """
      Without --player, an expectimax over each --evaluator at each --depth. A learned player uses \
      the network that the positions come from; with --boards, that of --model or --patterns.
      """)

  @OptionGroup var networks: BenchNetworkOptions

  @Option(
    parsing: .singleValue,
    help: "A player, such as expectimax:evaluator=rowScore,depth=3; may be repeated.")
  var player: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The evaluator of the search: learned, or a hand-tuned one as rowScore; may be repeated.",
      valueName: "name"))
  var evaluator: [String] = []

  @Option(
    parsing: .singleValue, help: "Plies to search; may be repeated.", transform: searchDepth)
  var depth: [Int] = []

  @Option(
    parsing: .unconditional,
    help: "Positions of one measurement, from the network's games (default: 200).",
    transform: positiveCountToAMillion)
  var positions: Int?

  @Option(
    help: ArgumentHelp(
      "The positions: a file of boards, one a line; - for standard input.", valueName: "file"))
  var boards: String?

  @Option(help: ArgumentHelp("Numbers of threads.", valueName: "list"), transform: threadCounts)
  var threads = CountList(values: [1])

  @OptionGroup var measuring: BenchPlanOptions

  func validate() throws {
    if measuring.seconds != nil || measuring.games != nil {
      throw ValidationError(
        "a search is measured over all --positions: leave out --seconds and --games.")
    }
    if networks.patterns.count + networks.model.count > 1 {
      throw ValidationError("the positions come from one network: name one.")
    }
    if boards != nil && positions != nil {
      throw ValidationError("--boards names the positions itself: leave out --positions.")
    }
    if !player.isEmpty && !(evaluator.isEmpty && depth.isEmpty) {
      throw ValidationError("--player names its evaluator and depth itself: leave out the others.")
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
    // None is trained or read in vain.
    let isNeeded = states == nil || specifications.contains { !$0.models.isEmpty }
    let network = isNeeded ? try networks.networks()[0] : nil
    if states != nil, let size = network?.boardSize, size < 4 {
      throw Failure(.usage, "--boards: boards are of 4x4, and the network plays on \(size)x\(size)")
    }
    try measuring.show(
      SearchBenchmark.run(
        specifications, network: network,
        states: states ?? network.map { SearchBenchmark.states(of: $0, count: positions ?? 200) }
          ?? [],
        threads: threads.values, plan: measuring.plan, progress: measuring.showProgress))
  }

  /// Refuses what would be measured as something else, or not at all.
  private func check(_ specifications: [PlayerSpecification]) throws {
    for specification in specifications {
      if let model = specification.models.compactMap(\.self).first {
        throw Failure(
          .usage,
          "--player \(specification): learned players have one network here: name it with --model "
            + "\(model)")
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
