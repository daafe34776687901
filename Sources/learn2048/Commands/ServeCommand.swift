import ArgumentParser
import Console
import Foundation
import Players
import Synchronization
import WebInterface

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a web page to play on, to watch a model, and to follow runs.",
    discussion: """
      The page is for browsers on this machine; its address is printed. The same server answers \
      programs, as Docs/Web.md tells. Ctrl-C ends it.
      """)

  @Option(
    parsing: .unconditional, help: "The port to listen at; 0 for any that is free.",
    transform: portNumber)
  var port: UInt16 = 2048

  @Option(help: "The model that plays: a run, or a weight file; by default the one that ships.")
  var model: String?

  @OptionGroup var color: ColorOptions

  func run() throws {
    let received = ReceivedSignal()
    let ended = DispatchSemaphore(value: 0)
    let watcher = SignalWatcher { number in
      received.recordOrExit(number)
      ended.signal()
    }
    defer { withExtendedLifetime(watcher) {} }
    let interface = WebInterface(try content())
    let reason = Mutex<String?>(nil)
    let server = try start(interface) { text in
      reason.withLock { $0 = text }
      ended.signal()
    }
    StandardOutput.line("http://127.0.0.1:\(server.port)/")
    StandardError.shared.line("learn2048: open this page in a browser; Ctrl-C ends the server")
    ended.wait()
    if let number = received.number { throw Failure(signal: number) }
    let text = reason.withLock { $0 } ?? "no reason is known"
    throw Failure(.inputOutput, "the server has ended: \(text); start it again")
  }

  private func content() throws -> WebInterface.Content {
    let name = try model ?? ModelLocator.requireDefaultModel()
    var loader = PlayerLoader()
    let network = try loader.network(name)
    return WebInterface.Content(
      modelName: URL(fileURLWithPath: name).lastPathComponent, network: network,
      rules: loader.rules ?? .standard, runs: { ModelLocator.runs })
  }

  /// Starts the server, whose requests are answered on threads of their own.
  private func start(
    _ interface: WebInterface, onEnd: @escaping @Sendable (String) -> Void
  ) throws -> WebServer {
    let port = port
    do {
      return try waitForResult { try await WebServer(port: port, interface, onEnd: onEnd) }
    } catch WebServer.Failure.portInUse {
      throw Failure(
        .locked, "port \(port) is in use by another program; name another with --port, or 0 for any"
      )
    } catch WebServer.Failure.refused(let reason) {
      throw Failure(
        .inputOutput, "cannot listen at port \(port): \(reason); name another with --port")
    }
  }
}

private func portNumber(_ text: String) throws -> UInt16 {
  guard let port = UInt16(text) else {
    throw ValidationError("a port is a whole number from 0 to 65535.")
  }
  return port
}

/// Waits on the calling thread for what asynchronous work comes to.
private func waitForResult<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let isDone = DispatchSemaphore(value: 0)
  let result = Mutex<Result<Value, any Error>?>(nil)
  Task {
    let value: Result<Value, any Error>
    do { value = .success(try await work()) } catch { value = .failure(error) }
    result.withLock { $0 = value }
    isDone.signal()
  }
  isDone.wait()
  return try result.withLock { $0! }.get()
}
