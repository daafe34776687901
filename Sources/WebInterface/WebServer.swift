import FlyingFox
import FlyingSocks
import Foundation

/// A web server for this machine only.
package struct WebServer: Sendable {
  /// The reason why a server cannot start.
  package enum Failure: Error, Equatable {
    /// Another program listens on the port.
    case portInUse
    /// The system does not allow listening on the port.
    case refused(String)

    /// Creates the reason from the end of a server that never listened.
    fileprivate init(_ end: Result<Void, any Error>) {
      switch end {
      case .failure(SocketError.failed(_, errno: EADDRINUSE, _)): self = .portInUse
      case .failure(let error): self = .refused(error.localizedDescription)
      case .success: self = .refused("the server ended at once")
      }
    }
  }

  /// The port on which the server listens.
  package let port: Int

  /// Starts a server on `127.0.0.1`.
  ///
  /// - Parameters:
  ///   - port: the port; 0 for any free port.
  ///   - onEnd: called with the reason if the server ends, for example because the program has too many open
  ///     files.
  /// - Throws: ``Failure``.
  package init(
    port: UInt16, _ interface: WebInterface, onEnd: @escaping @Sendable (_ reason: String) -> Void
  ) async throws {
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port), timeout: 600, logger: .disabled,
      handler: interface)
    let started = Task { try await server.waitUntilListening(timeout: 60) }
    let running = Task {
      // A server that cannot listen ends at once, so waiting for it is cancelled.
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
      throw Failure.refused("the server has no address")
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
