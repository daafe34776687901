import ArgumentParser
import Basics
import Foundation
import Game2048
import Play
import Search

struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play in the terminal with hints, or watch a player.",
    discussion: """
      The player gives hints, makes a move on request, or plays by itself. By default it plays with the \
      bundled model, otherwise with the newest run under Models/, otherwise it is the player heuristic. \
      Without a terminal, --watch prints one game.

      Your game is kept in ~/.local/state/learn2048, and the next 'learn2048 play' continues it. With --watch or \
      --seed, a new game begins, which is kept only if --game names a file.
      """)

  @OptionGroup var player: PlayerOptions

  @Flag(help: "Let the player play from the start.")
  var watch = false

  @Option(
    "file",
    "Keep the game in this file, and continue the game that is in it. 'replay' and 'review' read it."
  )
  var game: String?

  @Option("n", "Seed of all spawns (default: random).", read: count)
  var seed: Int?

  @Option(help: ArgumentHelp("Random number generator of the spawns.", valueName: "name"))
  var randomSource = RandomSourceKind.standard

  @OptionGroup var color: ColorOptions

  func run() throws {
    if game != nil, !RawTerminal.isAvailable {
      throw Failure(
        .usage,
        "--game keeps a game on a terminal. Leave it out, or record games with evaluate --record.")
    }
    let start = seed
    let seed = start.map { UInt64($0) } ?? UInt64.random(in: 0...999_999)
    let specification = try self.player.specification(orElse: "heuristic")
    let players = PlayerFactory.showingProgress()
    let player = try players.player(specification, seed: SplitMix64.streamSeed(seed, 1))
    let rules = players.rules ?? .standard
    guard RawTerminal.isAvailable else {
      guard watch else {
        throw Failure(
          .usage, "standard input and output are not a terminal. Use --watch to print one game.")
      }
      return try printGame(
        of: player, rules: rules, source: randomSource.make(seed: seed), seed: seed)
    }
    let state = StateDirectory(environment: ProcessInfo.processInfo.environment)
    let usual = state?.file("game", rules)
    let path = game ?? (watch || start != nil ? nil : usual)
    let kept = try path.map { try KeptGame(path: $0, rules: rules) }
    if let kept, kept.isOver, game != nil {
      throw Failure(
        .usage,
        "\(kept.path): this game is over, and a new one would replace it. Name another file with --game, or remove "
          + "this one.")
    }
    if let kept, kept.open != nil, let option = start != nil ? "--seed" : watch ? "--watch" : nil {
      throw Failure(
        .usage,
        "\(kept.path): this game is not over, and \(option) is for new games. Leave out \(option), or name another "
          + "file with --game.")
    }
    var loop = try PlayLoop(
      player: player, label: label(specification), rules: rules, seed: seed,
      makeSource: randomSource.make, watches: watch,
      bestScore: state.map { BestScoreFile(in: $0, rules) },
      kept: kept, terminal: GameTerminal(boardSize: rules.size, fastest: 0, color: color))
    try loop.run()
    RawTerminal.restore()
    report(loop, state, usualPath: usual)
    if let number = SignalWatcher.received { throw Failure(signal: number) }
  }

  /// Prints the score, what to do with the game that is kept, and what could not be kept.
  ///
  /// - Parameters:
  ///   - state: The directory of games and best scores; nil if there is none.
  ///   - usualPath: The file of the game unless `--game` names another.
  private func report(_ loop: PlayLoop, _ state: StateDirectory?, usualPath: String?) {
    let score = "score \(NumberText.grouped(loop.session.score))"
    StandardOutput.line(score + (loop.isContinued ? "" : ", seed \(loop.seed)"))
    if let failure = loop.bestScoreFailure {
      StandardError.shared.line("learn2048: warning: the best score is not kept. \(failure)")
    }
    if state == nil, !watch, loop.session.moves > 0 {
      StandardError.shared.line(
        "learn2048: warning: \(game == nil ? "games and " : "")best scores are not kept, because HOME is not an absolute "
          + "path. Set HOME.")
    }
    guard let path = loop.keptPath else { return }
    if let failure = loop.failure {
      return StandardError.shared.line("learn2048: warning: the game is not kept. \(failure)")
    }
    guard loop.session.moves > 0 else { return }
    func command(_ words: String?...) -> String {
      (["learn2048"] + words.compactMap(\.self)).joined(separator: " ")
    }
    let model = player.model.map { "--model \(shellWord($0))" }
    let name = player.player.map { "--player \(shellWord($0))" }
    let file = path == usualPath ? nil : "--game \(shellWord(path))"
    if !loop.session.rules.isOver(loop.session.board) {
      StandardError.shared.line(
        "learn2048: to continue this game: \(command("play", model, name, file))")
    }
    StandardError.shared.line(
      "learn2048: to review it: \(command("review", shellWord(path), model))")
  }

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
      score \(NumberText.grouped(session.score)) in \(NumberText.count(session.moves, "move")) (\(player.name), seed \(seed))
      """)
  }
}

extension RandomSourceKind: ExpressibleByArgument {}
