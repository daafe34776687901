import ArgumentParser
import Basics
import Console
import EndgameTables
import Game2048
import Synchronization

struct TablesBuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Build a table of exact probabilities, or resume its build.",
    discussion: """
      The table knows the boards on which different large tiles stand on the locked cells and all other tiles \
      are below the goal. It has the probability of making the goal with the best moves that leave the locked \
      tiles where they are. Ctrl-C, SIGTERM and SIGHUP end the build; the same command resumes it.

        learn2048 tables build Tables ####/##../..../.... 512
      """)

  @Argument(
    help: "The directory of the tables, which is created if it does not exist.",
    completion: .directory)
  var directory: String

  @Argument(
    help: "The locked cells: four rows of # for locked and . for free, separated by /.",
    transform: lockedCells)
  var locked: CellSet

  @Argument(
    help: "The tile to make on the free cells, 8 to 1024; with --chain, 32 to 1024.",
    transform: tileExponent)
  var goal: Int

  @Option(
    "sum", "What the tiles on free cells may add up to, beyond the goal (default: 64).",
    read: count(in: 0...4096))
  var margin = TableShape.standardMargin

  @Flag(
    help: """
      Count a chain of falling tiles that merges into the goal beside the locked cells, not the goal anywhere. The \
      locked cells are \(chainedCells). For the search option 'endgame', build both tables with the goal 1024.
      """)
  var chain = false

  @Option("n", "Number of threads, 1 to 1024 (default: one per core).", read: threadCount)
  var threads: Int?

  @OptionGroup var color: ColorOptions

  func run() throws {
    try requireThreads()
    if chain, !TableShape.chainedCells.contains(locked) {
      throw Failure(
        .usage, "no chain fits the locked cells \(locked). Choose \(chainedCells).")
    }
    let target: TableShape.Target = chain ? .chain : .tile
    guard let shape = TableShape(locked: locked, goal: goal, target: target, margin: margin) else {
      throw Failure(
        .usage,
        """
        no table has \(locked.cells.nonzeroBitCount) locked cells, the goal \(1 << goal) and a margin of \
        \(margin). Choose 2 to 12 free cells, a goal from \
        \(1 << TableShape.goals(of: target).lowerBound) to 1024, at most \(max(0, 16 - goal)) locked cells \
        for this goal, and an even margin.
        """)
    }
    let builder = TableBuilder(shape, directory: directory, threads: threads ?? coreCount)
    let state = Mutex<TableBuilder.Progress?>(nil)
    let began = ContinuousClock.now
    let table = try supervise(
      interval: 10,
      progress: { _ in state.withLock { $0.map { [$0.text] } ?? [] } },
      requestStop: builder.requestStop
    ) {
      try builder.build { progress in state.withLock { $0 = progress } }
    }
    guard let table else {
      if let number = SignalWatcher.received { throw Failure(signal: number) }
      return
    }
    StandardOutput.line(
      """
      \(table.path): \(NumberText.grouped(table.entryCount)) probabilities, \
      \(byteText(table.byteCount)), \(NumberText.duration(began.duration(to: .now).seconds))
      """)
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
