import Arena
import ArgumentParser
import Console
import Foundation

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Show a game that 'evaluate --record' recorded.",
    discussion: """
      On a terminal the game is shown move by move. Otherwise the command prints one line per move: its \
      number, direction and reward, the score, and the board with the new tile.
      """)

  @Argument(help: "The file of recorded games.")
  var file: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Number of the game, from 1 (default: 1).", valueName: "n"),
    transform: positiveCount)
  var game: Int = 1

  @Option(help: "Name of the player in the file (default: the first).")
  var player: String?

  @OptionGroup var color: ColorOptions

  func run() throws {
    let games = try GameRecordFile.read(file)
    let names = games.header.players
    guard let place = player.map({ names.firstIndex(of: $0) }) ?? 0 else {
      throw Failure(
        .usage,
        "\(file): no games of '\(player ?? "")'. Players: \(names.joined(separator: ", ")).")
    }
    guard game <= games.header.games else {
      throw Failure(.usage, "\(file): no game \(game). The last is \(games.header.games).")
    }
    let recording = try Recording(
      title: "\(names[place]), game \(game) of \(games.header.games), seed \(games.header.seed)",
      games.replay(player: place, game: game - 1, path: file))
    guard RawTerminal.isAvailable else { return StandardOutput.line(recording.text) }
    try show(recording)
  }

  private func show(_ recording: Recording) throws {
    // It is installed before the terminal is taken over, so that every signal restores it.
    let received = ReceivedSignal()
    let watcher = SignalWatcher { received.recordOrExit($0) }
    defer { withExtendedLifetime(watcher) {} }
    let terminal = RawTerminal()
    let depth = ColorDepth(
      environment: ProcessInfo.processInfo.environment, isDisabled: color.noColor)
    defer { RawTerminal.restore() }
    var loop = ReplayLoop(recording, depth: depth)
    loop.run(on: terminal) { received.number != nil }
    RawTerminal.restore()
    if let number = received.number { throw Failure(signal: number) }
  }
}
