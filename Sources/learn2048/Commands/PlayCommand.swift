import ArgumentParser
import Basics
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

  @Option("model", "Play and give hints with this model: a run or a weight file.")
  var model: String?

  @Option(
    "player", "Use this player instead, such as heuristic or learned:model=ntuple,depth=2.")
  var player: String?

  @Flag(help: "Let the player play from the start.")
  var watch = false

  @Option("n", "Seed of all spawns (default: random).", read: count)
  var seed: Int?

  @Option(help: ArgumentHelp("Random number generator of the spawns.", valueName: "name"))
  var randomSource = RandomSourceKind.standard

  @OptionGroup var search: SearchOptions

  @OptionGroup var color: ColorOptions

  func run() throws {
    let seed = seed.map { UInt64($0) } ?? UInt64.random(in: 0...999_999)
    let model = model ?? (player == nil ? ModelLocator.defaultModel : nil)
    let specification = try search.specification(
      player: player ?? (model == nil ? "heuristic" : nil), model: model)
    var loader = PlayerLoader()
    let player = try loader.factory(for: specification)(SplitMix64.streamSeed(seed, 1))
    let rules = loader.rules ?? .standard
    let source = randomSource.make(seed: seed)
    guard RawTerminal.isAvailable else {
      guard watch else {
        throw Failure(
          .usage, "standard input and output are not a terminal. Use --watch to print one game.")
      }
      return try printGame(of: player, rules: rules, source: source, seed: seed)
    }
    var loop = PlayLoop(
      player: player, label: label(specification), rules: rules, source: source, watches: watch,
      bestScore: BestScoreFile(
        environment: ProcessInfo.processInfo.environment, boardSize: rules.size),
      terminal: GameTerminal(boardSize: rules.size, fastest: 0, color: color))
    try loop.run()
    RawTerminal.restore()
    StandardOutput.line("score \(NumberText.grouped(loop.score)), seed \(seed)")
    if let failure = loop.failure {
      StandardError.shared.line("learn2048: warning: the best score is not kept. \(failure)")
    }
    if let number = SignalWatcher.received { throw Failure(signal: number) }
  }

  /// Returns the name of the player on the screen.
  private func label(_ specification: PlayerSpecification) -> String {
    guard specification.kind == .learned, let model = specification.model else {
      return specification.description
    }
    let name = URL(fileURLWithPath: model).lastPathComponent
    if specification.isGreedyNetwork { return name }
    return "\(name) (\(specification.optionTexts.dropFirst().joined(separator: ",")))"
  }

  /// Plays a game without a terminal, and prints its last board and its score.
  private func printGame(
    of player: any Player, rules: Rules, source: some RandomSource, seed: UInt64
  ) throws {
    var (player, source) = (player, source)
    var session = GameSession(rules: rules, using: &source)
    while let direction = player.chooseMove(from: session.board) {
      try session.play(direction, using: &source)
      if session.phase == .won { try session.keepPlaying() }
    }
    StandardOutput.line(
      """
      \(session.board.description(size: rules.size))
      score \(NumberText.grouped(session.score)) in \(NumberText.grouped(session.moves)) moves (\(player.name), seed \(seed))
      """)
  }
}

extension RandomSourceKind: ExpressibleByArgument {}
