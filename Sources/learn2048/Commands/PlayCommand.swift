import ArgumentParser
import Console
import Foundation
import Game2048
import Players
import RandomSources
import Search

struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play in the terminal with hints, or watch a player.",
    discussion: """
      The player gives hints, makes a move on request, or plays by itself. By default it plays with the \
      bundled model, otherwise with the newest run under Models/, otherwise it is the player heuristic. \
      Without a terminal, --watch prints one game.
      """)

  @Option(help: "Play and give hints with this model: a run or a weight file.")
  var model: String?

  @Option(help: "Use this player instead, such as heuristic or learned:model=ntuple,depth=2.")
  var player: String?

  @Flag(help: "Let the player play from the start.")
  var watch = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seed of all spawns (default: random).", valueName: "n"),
    transform: count)
  var seed: Int?

  @Option(help: ArgumentHelp("Random number generator of the spawns.", valueName: "name"))
  var randomSource = RandomSourceKind.standard

  @OptionGroup var search: SearchOptions

  @OptionGroup var color: ColorOptions

  func run() throws {
    let seed = seed.map { UInt64($0) } ?? UInt64.random(in: 0...999_999)
    let specification = try specification()
    var loader = PlayerLoader()
    let player = try loader.factory(for: specification)(SplitMix64.streamSeed(seed, 1))
    let rules = loader.rules ?? .standard
    let source = randomSource.make(seed: seed)
    guard RawTerminal.isAvailable else {
      guard watch else {
        throw Failure(
          .usage, "standard input and output are not a terminal. Use --watch to print one game.")
      }
      return printGame(of: player, rules: rules, source: source, seed: seed)
    }
    try play(
      player, label: label(specification), rules: rules, source: source, seed: seed)
  }

  /// Returns the name of the player on the screen.
  private func label(_ specification: PlayerSpecification) -> String {
    guard case .learned(let model?, let search) = specification else {
      return specification.description
    }
    let name = URL(fileURLWithPath: model).lastPathComponent
    if search == SearchSettings(depth: .plies(1)) { return name }
    return "\(name) (\(specification.optionTexts.dropFirst().joined(separator: ",")))"
  }

  private func play(
    _ player: any Player, label: String, rules: Rules, source: any RandomSource, seed: UInt64
  ) throws {
    // It is installed before the terminal is taken over, so that every signal restores it.
    let received = ReceivedSignal()
    let watcher = SignalWatcher { received.recordOrExit($0) }
    defer { withExtendedLifetime(watcher) {} }
    let terminal = RawTerminal()
    let depth = ColorDepth(
      environment: ProcessInfo.processInfo.environment, isDisabled: color.noColor)
    var loop = PlayLoop(
      player: player, label: label, rules: rules, source: source, watches: watch, depth: depth)
    defer { RawTerminal.restore() }
    try loop.run(on: terminal) { received.number != nil }
    RawTerminal.restore()
    StandardOutput.line("score \(NumberText.grouped(loop.score)), seed \(seed)")
    if let number = received.number { throw Failure(signal: number) }
  }

  private func specification() throws -> PlayerSpecification {
    if let player { return try PlayerSpecification(search.added(to: player), model: model) }
    guard let name = model ?? ModelLocator.defaultModel else {
      return try PlayerSpecification(search.added(to: "heuristic"))
    }
    return .learned(model: name, search: try search.onlySettings())
  }

  /// Plays a game without a terminal, and prints its last board and its score.
  private func printGame(
    of player: any Player, rules: Rules, source: some RandomSource, seed: UInt64
  ) {
    var player = player
    var source = source
    var board = rules.startBoard(using: &source)
    var score = 0
    var moves = 0
    while let direction = player.chooseMove(from: board),
      let (afterstate, reward) = rules.move(board, direction)
    {
      board = afterstate
      score += reward
      moves += 1
      rules.spawn(on: &board, using: &source)
    }
    StandardOutput.line(
      """
      \(board.description(size: rules.size))
      score \(score) in \(moves) moves (\(player.name), seed \(seed))
      """)
  }
}

extension RandomSourceKind: ExpressibleByArgument {}
