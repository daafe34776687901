import ArgumentParser
import Foundation
import Game2048
import Play
import WebInterface

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a web page for playing, reviewing games, analysing boards and following runs.",
    discussion: """
      The command prints the address of the page and serves it to this machine until Ctrl-C. With --host, other \
      machines such as phones can open it, if they have the address with its token. \
      Docs/Reference/HTTP.md documents the requests that programs can make.
      """)

  @Option(
    "port", "Port to listen on; 0 for any free port.",
    read: value("a port. Use a whole number from 0 to 65535") { UInt16($0) })
  var port: UInt16 = 2048

  @Option(
    "address",
    "IP address to listen on; 0.0.0.0 for all of this machine (default: 127.0.0.1, this machine only).",
    read: value(
      "an IP address. Use 0.0.0.0 for all addresses of this machine, or one of them"
    ) { ServerAddress($0) })
  var host: ServerAddress = .loopback

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Let pages of this site ask for moves, such as https://example.org. Repeatable.",
      valueName: "origin"),
    transform: value("the origin of a site. Use the form https://example.org") { AllowedOrigin($0) }
  )
  var allowOrigin: [AllowedOrigin] = []

  @Option("model", "Play with this model: a run or a weight file (default: the bundled model).")
  var model: String?

  @Option("file", "Offer the recorded games of this file for review on the page.")
  var games: String?

  @Option(
    "dir",
    "Offer a player that plays the late game by the tables of chains in this directory, which 'tables build' makes.",
    read: value("a directory that a PLAYER can name. Use one without commas") {
      (try? PlayerSpecification("learned:endgame=\($0)")) == nil ? nil : $0
    })
  var endgame: String?

  @OptionGroup var color: ColorOptions

  func run() throws {
    let ended = DispatchSemaphore(value: 0)
    let watcher = SignalWatcher { _ in ended.signal() }
    defer { withExtendedLifetime(watcher) {} }
    let interface = try makeInterface()
    let server = try WebServer(address: host, port: port, interface) { ended.signal() }
    for address in host.reachable {
      StandardOutput.line(address.page(port: server.port, token: interface.token))
    }
    if interface.token != nil {
      StandardError.shared.line(
        """
        learn2048: warning: this server is open to other machines. Whoever has its address with the token can play and \
        search on this machine, and read its runs and recorded games. The connection is not encrypted: use it in a \
        network that you trust.
        """)
    }
    StandardError.shared.line(
      "learn2048: open this page in a browser; press Ctrl-C to stop the server.")
    ended.wait()
    if let number = SignalWatcher.received { throw Failure(signal: number) }
    throw Failure(.inputOutput, "the server stopped unexpectedly. Start it again.")
  }

  private func makeInterface() throws -> WebInterface {
    let name = try model ?? ModelLocator.requireDefaultModel()
    let players = PlayerFactory.showingProgress(defaultModel: name)
    _ = try players.network(nil)
    let recordedGames = try games.map { path in
      let file = try GameRecordFile.read(path)
      try file.require(players.rules!, path: path)
      return (file: file, path: path)
    }
    if let endgame {
      // The tables are opened before the first request.
      _ = try players.maker(
        of: PlayerSpecification(.learned, options: [PlayerOption.endgame.key: endgame]))
    }
    return WebInterface(
      modelName: ModelLocator.isBundled(name)
        ? "Bundled model" : URL(fileURLWithPath: name).lastPathComponent,
      players: players, games: recordedGames, endgame: endgame,
      runs: { ModelLocator.runs },
      token: host.isLoopback ? nil : AccessToken(), origins: Set(allowOrigin))
  }
}
