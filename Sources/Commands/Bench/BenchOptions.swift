import ArgumentParser
import Basics
import Experiments
import Game2048
import Learning
import NTupleNetwork
import Play
import Training

struct BenchNetworkOptions: ParsableArguments {
  /// The default number of training moves, after which games use the caches like those of a long run.
  static let trainMoves = 25_000_000

  @Option(
    "patterns",
    repeatable: """
      Patterns of a network to train: 4x6, 8x6, or cells such as 012345,456789. Repeatable (default: 4x6).
      """)
  var patterns: [String]

  @Option("model", repeatable: "A trained model to measure instead. Repeatable.")
  var model: [String]

  @Option(
    "n", "Number of moves to train a network for before measuring it (default: 25e6).",
    read: count)
  var trainMoves: Int = BenchNetworkOptions.trainMoves

  func validate() throws {
    if !patterns.isEmpty && !model.isEmpty {
      throw ValidationError("--patterns and --model exclude each other. Leave out one of them.")
    }
  }

  func requireOne(_ what: String) throws {
    if patterns.count + model.count > 1 {
      throw ValidationError("\(what) from one network. Name one with --patterns or --model.")
    }
  }

  /// Returns the networks, trained if they are given by their patterns.
  func networks() throws -> [TrainedNetwork] {
    if !model.isEmpty {
      return try model.map { name in
        let players = PlayerFactory.showingProgress(defaultModel: name)
        let network = try players.network(name).thawed()
        return try TrainedNetwork(
          name: name, network: network, rules: players.rules!, players: players)
      }
    }
    // All patterns are read before the first network is trained, which takes a while.
    let texts = patterns.isEmpty ? ["4x6"] : patterns
    let configurations = try texts.map(BenchNetworkOptions.configuration)
    let bytes = try configurations.map { try TrainedNetwork.byteCount($0.networkShape()) }
    if bytes.count > 1 {
      try Memory.require(
        bytes.reduce(0, +), for: "two copies of all networks, with accumulators,",
        path: texts.joined(separator: " and "), remedy: "measure fewer at a time")
    }
    return try zip(texts, configurations).map { text, configuration in
      try BenchNetworkOptions.train(configuration, name: text, moves: trainMoves)
    }
  }

  /// Returns the configuration of a network.
  ///
  /// - Parameter text: the name of a pattern set, or cell strings separated by commas.
  static func configuration(_ text: String) throws -> TrainingConfiguration {
    var reader = ConfigurationReader()
    let cells = text.split(separator: ",", omittingEmptySubsequences: false)
    reader.set(
      "network.patterns",
      to: NamedPatternSet.all[text] != nil
        ? .string(text) : .array(cells.map { .string(String($0)) }),
      option: "--patterns")
    return try reader.finished()
  }

  /// Trains a network to measure, and reports it on standard error.
  static func train(
    _ configuration: TrainingConfiguration, name: String, moves: Int
  ) throws -> TrainedNetwork {
    let shape = try configuration.networkShape()
    StandardError.shared.line(
      "training \(name) for \(NumberText.count(moves, "move")), TC(λ 0.5), one thread; its weights "
        + "take \(byteText(shape.byteCount)), its accumulators twice that, and a copy as much")
    return try TrainedNetwork(name: name, training: shape, moves: moves)
  }
}

struct BenchLengthOptions: ParsableArguments {
  @Option(
    "seconds", "Length of a measurement, in seconds (default: 1).",
    read: number("Use a number of seconds above 0 and at most 1e6.") { $0 > 0 && $0 <= 1e6 })
  var seconds: Double?

  @Option(
    "n", "Length of a measurement in games, instead of --seconds.", read: count(in: 1...1_000_000))
  var games: Int?

  func validate() throws {
    if seconds != nil && games != nil {
      throw ValidationError("--seconds and --games exclude each other. Leave out one of them.")
    }
  }

  var amount: BenchmarkPlan.Amount { games.map { .episodes($0) } ?? .seconds(seconds ?? 1) }
}

struct BenchPlanOptions: ParsableArguments {
  @Option("n", "Number of measurements per variant (default: 7).", read: count(in: 1...1_000_000))
  var repeats: Int = 7

  @Option(
    "n", "Number of warm-up measurements per variant, which do not count (default: 1).",
    read: count(in: 0...1_000_000))
  var warmUps: Int = 1

  @Option(
    help: ArgumentHelp(
      "Clock of the measurement: elapsed time, or CPU time per thread.",
      valueName: "clock"))
  var clock: Measurement.ClockKind = .wall

  @OptionGroup var output: OutputOptions

  var plan: BenchmarkPlan { BenchmarkPlan(repeats: repeats, warmUps: warmUps, clock: clock) }

  func run(_ benchmark: String, _ variants: [Variant]) throws {
    var report = BenchmarkReport(benchmark, plan: plan)
    try report.measure(variants, plan: plan, progress: showProgress)
    try show(report)
  }

  func show(_ report: BenchmarkReport) throws {
    StandardError.shared.endProgress()
    try output.show(report, text: report.table)
  }

  func showProgress(_ done: Int, _ total: Int) {
    StandardError.shared.showCount(done, of: total, "measurements")
  }
}

extension Measurement.ClockKind: ExpressibleByArgument {}

extension BenchmarkReport {
  /// The table of the variants: their parameters and rates, and the times of single moves if they have a budget.
  fileprivate var table: String {
    let showsMoves = rows.contains { $0.moveMilliseconds != nil }
    let parameters =
      [columns]
      + rows.map { row in columns.map { row.parameters[$0].map { $0.string ?? $0.text } ?? "" } }
    let cells = zip(parameters, Row.table(rows)).map {
      $0 + (showsMoves ? $1 : Array($1.dropLast(4)))
    }
    let clock = clock == .wall ? "elapsed time" : "CPU time per thread"
    let base =
      benchmark == "growth" ? "the first number of threads of the network" : "the first variant"
    let notes = [
      "",
      "medians of \(repeats) repeats, by \(clock); ratio: speed relative to \(base), per repeat",
      "ms/move: CPU time of single moves over all repeats; in budget: within 10 % or 0.2 ms of it",
    ]
    return (alignedTable(cells) + notes.prefix(showsMoves ? 3 : 2)).joined(separator: "\n")
  }
}

/// The options that choose a network and the positions on which searches are measured.
struct BenchPositionOptions: ParsableArguments {
  @OptionGroup var networks: BenchNetworkOptions

  @Option(
    "n", "Number of positions, from the network's games (default: 200).",
    read: count(in: 1...1_000_000))
  var positions: Int?

  @Option("file", "Read the positions from this file, one board per line; - reads standard input.")
  var boards: String?

  @Flag(help: "Read values of boards as exponents.")
  var exponents = false

  func validate() throws {
    try networks.requireOne("the positions come")
    if boards != nil && positions != nil {
      throw ValidationError("--boards names the positions itself. Leave out --positions.")
    }
  }

  /// Returns the players that texts name, which use the network of these options.
  static func players(_ texts: [String], inParallel count: Int) throws -> [PlayerSpecification] {
    try texts.map { text in
      let specification = try PlayerSpecification(text)
      if let model = specification.model {
        throw Failure(
          .usage,
          "\(specification): the network of learned players is set apart here. Name it with "
            + "--model \(model).")
      }
      try PlayerFactory.requireMemory(for: specification, inParallel: count)
      return specification
    }
  }

  /// Returns the positions, and the network if the positions or the players need it.
  func read(
    for players: [PlayerSpecification]
  ) throws -> (network: TrainedNetwork?, states: [Board]) {
    let states = try boards.map { file in
      try BoardText.lines(of: file).map { try $0.board(.standard, asExponents: exponents) }
    }
    // A network is trained or read only if it is needed.
    let isNeeded = states == nil || players.contains { !$0.models.isEmpty }
    let network = isNeeded ? try networks.networks()[0] : nil
    if states != nil, let size = network?.boardSize, size < 4 {
      throw Failure(
        .usage, "--boards requires a network for 4x4 boards, but this one plays on \(size)x\(size)."
      )
    }
    return (network, states ?? network?.recordedStates(count: positions ?? 200) ?? [])
  }
}

/// The options of measured training: lists, of which every combination is a variant.
struct BenchTrainingOptions: ParsableArguments {
  @Option("list", "Numbers of threads (default: 1 and one per core).")
  var threads: String?

  @Option(help: ArgumentHelp("Values of learning.method.", valueName: "list"))
  var method: String = LearningMethod.td.rawValue

  @Option(help: ArgumentHelp("Values of learning.mode.", valueName: "list"))
  var mode: String = LearningMode.asynchronous.rawValue

  @Option(
    help: ArgumentHelp(
      "Values of learning.batchSize, or in synchronous mode of learning.roundMoves.",
      valueName: "list"))
  var batch: String = "\(TrainingConfiguration().batchSize)"

  @Option(
    name: .customLong("set"), "key=value",
    repeatable: "Set another configuration key. Repeatable.")
  var settings: [String]

  static var usualThreads: [Int] { coreCount > 1 ? [1, coreCount] : [1] }

  /// The starts of keys without effect on a measurement: they determine the network, which other options
  /// choose, or work at barriers, where nothing is measured.
  private static let idleSettings = [
    "network.", "game.boardSize", "averaging.", "learning.inheritEveryEpisodes", "evaluation.",
    "checkpoint.", "report.",
  ]

  func validate() throws {
    for setting in settings {
      if BenchTrainingOptions.idleSettings.contains(where: setting.hasPrefix) {
        throw ValidationError("--set \(setting) has no effect on a benchmark. Leave it out.")
      }
    }
  }

  func variants(_ network: TrainedNetwork, _ amount: BenchmarkPlan.Amount) throws -> [Variant] {
    try configurations(patterns: network.patterns, boardSize: network.boardSize).map {
      try .training(network, $0, amount: amount)
    }
  }

  /// Returns a configuration for each combination.
  func configurations(patterns: [String], boardSize: Int = 4) throws -> [TrainingConfiguration] {
    let usual = BenchTrainingOptions.usualThreads.map(String.init).joined(separator: ",")
    let dimensions = [
      (["learning.method"], "--method", method),
      (["learning.batchSize", "learning.roundMoves"], "--batch", batch),
      (["threads"], "--threads", threads ?? usual),
      (["learning.mode"], "--mode", mode),
    ]
    var readers = [ConfigurationReader()]
    for (keys, option, list) in dimensions {
      let values = list.split(separator: ",", omittingEmptySubsequences: false)
      readers = readers.flatMap { reader in
        values.map { value in
          var reader = reader
          for key in keys {
            reader.set(key, to: JSONValue(commandLine: String(value)), option: option)
          }
          return reader
        }
      }
    }
    return try readers.map { reader in
      var reader = reader
      for setting in settings { reader.set(setting) }
      reader.set("game.boardSize", to: .integer(boardSize), option: "--model")
      reader.set(
        "network.patterns", to: .array(patterns.map { .string($0) }), option: "--patterns")
      return try reader.finished()
    }
  }
}
