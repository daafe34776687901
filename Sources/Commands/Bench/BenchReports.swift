import ArgumentParser
import Basics
import Experiments
import Foundation
import Play

struct BenchGrowth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth",
    abstract: "Measure training with networks of growing size.",
    discussion: """
      The networks have 1 to 12 patterns of 6 cells, then 2 patterns of 4 to 7 cells; --patterns chooses \
      others. They are trained and measured one after the other. The ratio is to the first number of \
      threads on the same network. A network that does not fit into memory twice is skipped with a \
      warning.
      """)

  @Option(
    "patterns",
    repeatable:
      "Patterns of a network to measure instead, such as 4x6 or 012345,456789. Repeatable.")
  var patterns: [String]

  @Option(
    "n", "Number of moves to train a network for before measuring it (default: 25e6).",
    read: count)
  var trainMoves: Int = BenchNetworkOptions.trainMoves

  @OptionGroup var training: BenchTrainingOptions

  @OptionGroup var length: BenchLengthOptions

  @OptionGroup var measuring: BenchPlanOptions

  func run() throws {
    let usual = (GrowingNetworks.counts + GrowingNetworks.sizes).map { $0.joined(separator: ",") }
    let networks = try (patterns.isEmpty ? usual : patterns).map(BenchNetworkOptions.configuration)
    _ = try training.configurations(patterns: networks[0].patterns)
    var report = BenchmarkReport("growth", plan: measuring.plan)
    for (place, configuration) in networks.enumerated() {
      StandardError.shared.line("network \(place + 1) of \(networks.count)")
      do {
        let network = try BenchNetworkOptions.train(
          configuration, name: GrowingNetworks.name(configuration.patterns), moves: trainMoves)
        try report.measure(
          training.variants(network, length.amount), plan: measuring.plan,
          progress: measuring.showProgress)
      } catch let error as LocatedError where error.kind == .insufficientMemory {
        StandardError.shared.line("skipped: \(error)")
      }
    }
    try measuring.show(report)
  }
}

struct BenchRanks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ranks",
    abstract: "Measure the exchange of messages between the ranks of a job.",
    discussion: """
      Every rank sends messages of growing size to all others, and rank 0 reports how long they take. Start \
      it with mpirun, on the machines of the job:

        mpirun -n 2 learn2048-mpi bench ranks
      """)

  @Option("n", "Number of exchanges to measure for each size (default: 20).", read: positiveCount)
  var repeats: Int = 20

  @OptionGroup var output: OutputOptions

  func run() throws {
    let ranks = try Job.join()
    guard ranks.size > 1 else {
      throw Failure(
        .usage,
        "there is no other rank. Start several, such as mpirun -n 2 learn2048-mpi bench ranks.")
    }
    let report = ExchangeReport(ranks, repeats: repeats)
    Job.end()
    if ranks.isLeader { try output.show(report, text: report.table) }
  }
}

extension ExchangeReport {
  fileprivate var table: String {
    (["\(ranks) ranks"] + alignedTable(Row.table(rows))).joined(separator: "\n")
  }
}

struct BenchLevels: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "levels",
    abstract: "Measure how far values jump when a missing tile is made.",
    discussion: """
      The network plays greedily. For boards that it reads downgraded, by largest tile and largest missing \
      tile, the table has the mean residual r + V(a') - V(a) of the moves, with its standard deviation and \
      the number of moves, and the level offsets. With calibrated offsets, falls have a mean of 0.

        learn2048 bench levels --model default
      """)

  @Option(
    help: ArgumentHelp(
      "Model to measure: a run or a weight file (default: the bundled model).", valueName: "model"),
    completion: .models)
  var model: String?

  @Option("n", "Number of greedy games (default: 1000).", read: positiveCount)
  var games: Int = 1_000

  @Option("n", "Seed of the spawns (default: 1).", read: count)
  var seed: Int = 1

  @Option("n", "Number of threads, 1 to 1024 (default: one per core).", read: threadCount)
  var threads: Int?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let players = PlayerFactory.showingProgress()
    let network = try players.network(model).thawed()
    guard network.shape.downgrading != .none else {
      throw Failure(
        .usage,
        "\(model ?? "the bundled model") reads all boards as they are, so it has no levels. Name a network "
          + "with network.downgradeTile.")
    }
    let meter = GamesMeter(total: games)
    let residuals = LevelGames.play(
      network, rules: players.rules!, games: games, seed: UInt64(seed),
      threads: threads ?? coreCount
    ) { meter.show($0, on: .shared) }
    StandardError.shared.endProgress()
    let report = LevelReport(residuals, of: network)
    try output.show(report, text: report.table)
  }
}

extension LevelReport {
  fileprivate var table: String {
    let note =
      "residuals in points: mean ± standard deviation (moves), of \(NumberText.count(games, "game"))"
    return (alignedTable(Row.table(rows)) + ["", note]).joined(separator: "\n")
  }
}

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

extension RegretReport {
  fileprivate var table: String {
    let note =
      "points per move below the best move of \(reference), on \(NumberText.grouped(positions)) "
      + "positions; difference to the first player"
    return (alignedTable(Row.table(rows)) + ["", note]).joined(separator: "\n")
  }
}

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
