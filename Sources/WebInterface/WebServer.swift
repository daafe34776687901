import FlyingFox
import FlyingSocks
import Foundation

/// A web server for this machine alone.
package struct WebServer: Sendable {
  /// Why there is no server.
  package enum Failure: Error, Equatable {
    /// Another program listens at the port.
    case portInUse
    /// The system does not let this user, or anybody, listen there.
    case refused(String)

    /// What ended a server that never listened.
    fileprivate init(_ end: Result<Void, any Error>) {
      switch end {
      case .failure(SocketError.failed(_, errno: EADDRINUSE, _)): self = .portInUse
      case .failure(let error): self = .refused(error.localizedDescription)
      case .success: self = .refused("it ended at once")
      }
    }
  }

  /// The port it listens at.
  package let port: Int

  /// Starts to serve at `127.0.0.1`.
  ///
  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - onEnd: called with the reason if the server ends, as when the program has too many files open.
  /// - Throws: ``Failure``.
  package init(
    port: UInt16, _ interface: WebInterface, onEnd: @escaping @Sendable (_ reason: String) -> Void
  ) async throws {
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port), timeout: 600, logger: .disabled,
      handler: interface)
    let started = Task { try await server.waitUntilListening(timeout: 60) }
    let running = Task {
      // A server that cannot listen ends at once, and would be waited for in vain.
      defer { started.cancel() }
      try await server.run()
    }
    do {
      try await started.value
    } catch {
      running.cancel()
      throw Failure(await running.result)
    }
    guard case .ip4(_, let port) = await server.listeningAddress else {
      throw Failure.refused("it has no address")
    }
    self.port = Int(port)
    Task {
      do {
        try await running.value
        onEnd("it was closed")
      } catch {
        onEnd(error.localizedDescription)
      }
    }
  }
}
