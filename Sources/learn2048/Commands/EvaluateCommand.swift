import Arena
import ArgumentParser
import Console
import Search

struct EvaluateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Play models and players on the same seeds, and compare them.",
    discussion: """
      Every model plays greedily and with a 2-ply search, unless --depth names other depths. Intervals \
      are 95 % bootstrap intervals; differences and ratios are paired by seed.
      """)

  @Argument(help: "Models: runs, DIR@latest, DIR@EPISODES, or weight files.")
  var models: [String] = []

  @Option(
    parsing: .singleValue,
    help: "A player to compare with, such as heuristic or expectimax:depth=2; may be repeated.")
  var against: [String] = []

  @Option(parsing: .unconditional, help: "Games of each player.", transform: positiveCount)
  var games: Int = 100

  @Option(
    parsing: .unconditionalSingleValue,
    help: "The plies that the models look ahead; may be repeated.",
    transform: searchDepth)
  var depth: [Int] = []

  @Option(parsing: .unconditional, help: "The seed of all spawns.", transform: count)
  var seed: Int = 1

  @Option(
    parsing: .unconditional, help: "Threads; by default one for each core.",
    transform: positiveCount)
  var threads: Int?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if models.isEmpty && against.isEmpty {
      throw ValidationError("name a model, or a player with --against.")
    }
  }

  func run() throws {
    var specifications: [PlayerSpecification] = []
    for model in models {
      for plies in depth.isEmpty ? [1, 2] : depth {
        specifications.append(.learned(model: model, depth: .plies(plies)))
      }
    }
    specifications += try against.map { try PlayerSpecification($0) }

    var loader = PlayerLoader()
    try loader.loadModels(of: specifications)
    let contestants = try specifications.map { specification in
      Contestant(
        name: specification.description, makePlayer: try loader.factory(for: specification))
    }
    let report = ArenaReport(try play(contestants, loader: loader))
    if output.json {
      try StandardOutput.json(report)
    } else {
      StandardOutput.line(ReportTable.text(report))
    }
  }

  private func play(_ contestants: [Contestant], loader: PlayerLoader) throws -> ArenaResult {
    let console = StandardError.shared
    let received = ReceivedSignal()
    let watcher = SignalWatcher { received.recordOrExit($0) }
    defer { withExtendedLifetime(watcher) {} }
    let meter = GamesMeter()
    let result = Arena.run(
      contestants: contestants, games: games, seed: UInt64(seed), threads: threads ?? coreCount,
      rules: loader.rules ?? .standard,
      progress: { meter.show($0, on: console) },
      shouldStop: { received.number != nil })
    console.endProgress()
    if let number = received.number { throw Failure(signal: number) }
    return result
  }
}
