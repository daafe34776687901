import Basics
import Foundation
import NIOCore
import NIOPosix

/// A web server.
///
/// One thread serves all connections; see ``WebInterface`` for those that compute answers.
package struct WebServer: Sendable {
  /// The port on which the server listens.
  package let port: Int
  private let group: MultiThreadedEventLoopGroup

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - port: the port; 0 for any free port.
  ///   - onEnd: called if the server ends.
  /// - Throws: `LocatedError` if another program listens on the port, the address is not one of this machine, or the
  ///   system does not allow it.
  package init(
    address: ServerAddress = .loopback, port: UInt16, _ interface: WebInterface,
    onEnd: @escaping @Sendable () -> Void = {}
  ) throws(LocatedError) {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    // The other half of the files that the process may open is for reading runs.
    let limit = min(interface.limits.connections, sysconf(Int32(_SC_OPEN_MAX)) / 2)
    let open = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: group.next())
    do {
      let channel = try ServerBootstrap(group: group)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        // One at a time, so that none is accepted beyond the limit.
        .serverChannelOption(.maxMessagesPerRead, value: 1)
        .childChannelInitializer { channel in
          open.value += 1
          let server = channel.parent!
          if open.value == limit { _ = server.setOption(.autoRead, value: false) }
          channel.closeFuture.whenComplete { _ in
            open.value -= 1
            _ = server.setOption(.autoRead, value: true)
          }
          return channel.eventLoop.makeCompletedFuture {
            try interface.addHandlers(to: channel.pipeline.syncOperations)
          }
        }
        .bind(to: SocketAddress(ipAddress: address.text, port: Int(port))).wait()
      channel.closeFuture.whenComplete { _ in onEnd() }
      self.port = channel.localAddress!.port!
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw LocatedError(
        .locked, path: "cannot listen on port \(port)", "address already in use",
        remedy: "choose another with --port, or 0 for any free port")
    } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL {
      throw LocatedError(
        .usage, path: "cannot listen on \(address.text)", "it is not an address of this machine",
        remedy: "use 0.0.0.0 for all addresses")
    } catch {
      throw LocatedError(
        .inputOutput, path: "cannot listen on port \(port)", "\(error)",
        remedy: "choose another with --port")
    }
  }

  /// Closes all connections, and stops to listen.
  package func close() throws {
    try group.syncShutdownGracefully()
  }
}
