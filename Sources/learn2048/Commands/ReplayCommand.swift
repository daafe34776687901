import Arena
import ArgumentParser
import Console
import Foundation

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Show a game that evaluate --record has written down.",
    discussion: """
      On a terminal the game is played again, move by move. Elsewhere each move is a line: its number, \
      its direction, its points, the score, and the board with the new tile.
      """)

  @Argument(help: "A file of recorded games.")
  var file: String

  @Option(
    parsing: .unconditional, help: "Which game, counted from 1 (default: 1).",
    transform: positiveCount)
  var game: Int = 1

  @Option(help: "Whose game; by default the first player's of the file.")
  var player: String?

  @OptionGroup var color: ColorOptions

  func run() throws {
    let games = try GameRecordFile.read(file)
    let names = games.header.players
    guard let place = player.map({ names.firstIndex(of: $0) }) ?? 0 else {
      throw Failure(
        .usage,
        "\(file): has no games of \(player ?? ""); players: "
          + names.joined(separator: ", "))
    }
    guard game <= games.header.games else {
      throw Failure(.usage, "\(file): has no game \(game); the last is \(games.header.games)")
    }
    let recording = try Recording(
      title: "\(names[place]), game \(game) of \(games.header.games), seed \(games.header.seed)",
      games.replay(player: place, game: game - 1, path: file))
    guard RawTerminal.isAvailable else { return StandardOutput.line(recording.text) }
    try show(recording)
  }

  private func show(_ recording: Recording) throws {
    // Before the terminal is taken over, so that every signal gives it back.
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
