import ArgumentParser
import Basics
import EndgameTables
import Game2048
import Synchronization

struct TablesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tables",
    abstract: "Build endgame tables, and count the positions that they would answer.",
    subcommands: [TablesBuildCommand.self, TablesCensusCommand.self])
}

struct TablesBuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Build tables of exact probabilities, or resume their build.",
    discussion: """
      Without cells and a goal, it builds the two tables of the search option 'endgame'. They take 6 GB. Ctrl-C, \
      SIGTERM and SIGHUP end the build; the same command resumes it.

        learn2048 tables build Chains
        learn2048 tables build Tables ####/##../..../.... 512

      A table knows the boards on which different large tiles stand on the locked cells and all other tiles are \
      below the goal. It has the probability of making the goal with the best moves that leave the locked tiles \
      where they are.
      """)

  @Argument(
    help: "The directory of the tables, which is created if it does not exist.",
    completion: .directory)
  var directory: String

  @Argument(
    help: "The locked cells: four rows of # for locked and . for free, separated by /.",
    transform: lockedCells)
  var locked: CellSet?

  @Argument(
    help: "The tile to make on the free cells, 8 to 1024; with --chain, 32 to 1024.",
    transform: exponent(ofTileIn: TableShape.goals(of: .tile)))
  var goal: Int?

  @Option(
    "sum", "What the tiles on free cells may add up to, beyond the goal (default: 64).",
    read: count(in: 0...4096))
  var margin = TableShape.standardMargin

  @Flag(
    help: """
      Count a chain of falling tiles that merges into the goal beside the locked cells, not the goal anywhere. The \
      locked cells are \(chainedCells). This is how the tables of 'endgame' count.
      """)
  var chain = false

  @Option("n", "Number of threads, 1 to 1024 (default: one per core).", read: threadCount)
  var threads: Int?

  @OptionGroup var color: ColorOptions

  func validate() throws {
    if locked != nil && goal == nil {
      throw ValidationError("locked cells need a goal. Add one, such as 512.")
    }
  }

  func run() throws {
    try requireThreads()
    let builders = try shapes().map {
      TableBuilder($0, directory: directory, threads: threads ?? coreCount)
    }
    let progress = Mutex<[String]>([])
    var lines: [String] = []
    let isComplete = try supervise(
      interval: 10, progress: { _ in progress.withLock { $0 } },
      requestStop: { for builder in builders { builder.requestStop() } },
      isSafe: { true }, finishing: "layer"
    ) {
      for (number, builder) in builders.enumerated() {
        let name = "\(builder.shape.name) (\(number + 1)/\(builders.count))"
        let began = ContinuousClock.now
        let table = try builder.build { state in
          progress.withLock { $0 = ["\(name)  \(state.text)"] }
        }
        guard let table else { return false }
        lines.append(
          """
          \(table.path): \(NumberText.grouped(table.entryCount)) probabilities, \
          \(byteText(table.byteCount)), \(NumberText.duration(began.duration(to: .now).seconds))
          """)
      }
      return true
    }
    lines.forEach(StandardOutput.line)
    if !isComplete, let number = SignalWatcher.received { throw Failure(signal: number) }
  }

  /// Returns the shapes of the tables to build.
  private func shapes() throws -> [TableShape] {
    let largestGoal = TableShape.goals(of: .chain).upperBound
    guard let locked, let goal else {
      return try TableShape.chainedCells.map { try shape($0, goal: largestGoal, .chain) }
    }
    if chain, !TableShape.chainedCells.contains(locked) {
      throw Failure(
        .usage, "no chain fits the locked cells \(locked). Choose \(chainedCells).")
    }
    return [try shape(locked, goal: goal, chain ? .chain : .tile)]
  }

  /// Returns the shape of a table; throws if there is none.
  private func shape(
    _ locked: CellSet, goal: Int, _ target: TableShape.Target
  ) throws -> TableShape {
    guard let shape = TableShape(locked: locked, goal: goal, target: target, margin: margin) else {
      throw Failure(
        .usage,
        """
        no table has \(locked.cells.nonzeroBitCount) locked cells, the goal \(1 << goal) and a margin of \
        \(margin). Choose 2 to 12 free cells, a goal from \
        \(1 << TableShape.goals(of: target).lowerBound) to 1024, at most \(max(0, 16 - goal)) locked cells \
        for this goal, and an even margin of at most \(15 << goal).
        """)
    }
    return shape
  }
}

/// The locked cells of chains, as a list.
private let chainedCells = TableShape.chainedCells.map(\.description).joined(separator: " or ")

/// Reads the locked cells of a table.
private func lockedCells(_ text: String) throws -> CellSet {
  guard let cells = CellSet(text) else {
    throw ValidationError("Use four rows of # and ., such as ####/##../..../....")
  }
  return cells
}

extension TableBuilder.Progress {
  /// The progress in one line.
  fileprivate var text: String {
    let isForward = steps * 2 <= totalSteps
    let phase = isForward ? "boards" : "probabilities"
    let count = NumberText.grouped(isForward ? boards : entries)
    return "\(NumberText.percent(Double(steps) / Double(totalSteps)))  \(count) \(phase)"
  }
}
