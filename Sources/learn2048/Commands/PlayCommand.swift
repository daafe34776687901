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
    abstract: "Play in the terminal, with hints, or watch a player.",
    discussion: """
      The player at hand gives hints, moves when asked, or plays on by itself. It plays with a model: \
      where none is named, with the one that ships, else with the newest run under Models/. Without \
      either it is the heuristic.
      """)

  @Option(help: "The model that plays and gives hints: a run, or a weight file.")
  var model: String?

  @Option(help: "Another player in its place, such as heuristic or learned:model=NAME,depth=2.")
  var player: String?

  @Flag(help: "Let the player play from the start.")
  var watch = false

  @Option(
    parsing: .unconditional, help: "The seed of the spawns; by default another one every time.",
    transform: count)
  var seed: Int?

  @Option(help: "The random source of the spawns, by its name in configurations.")
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
          .usage, "play needs a terminal for its keys; elsewhere, --watch prints one game")
      }
      return printGame(of: player, rules: rules, source: source, seed: seed)
    }
    try play(
      player, label: label(specification), rules: rules, source: source, seed: seed)
  }

  /// What the screen calls the player.
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
    // Before the terminal is taken over, so that every signal gives it back.
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

  /// Plays a game without a terminal: its last board and its score.
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
