import Foundation
import NIOCore
import NIOPosix

/// A web server.
///
/// One thread serves all connections; see ``WebInterface`` for those that compute answers.
package struct WebServer: Sendable {
  /// The reason why a server cannot start.
  package enum Failure: Error, Equatable {
    /// Another program listens on the port.
    case portInUse
    /// The address is not one of this machine.
    case addressUnavailable
    /// The system does not allow listening on the port.
    case refused(String)
  }

  /// The port on which the server listens.
  package let port: Int
  private let group: MultiThreadedEventLoopGroup

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - address: the address on which to listen.
  ///   - port: the port; 0 for any free port.
  ///   - onEnd: called if the server ends.
  /// - Throws: ``Failure``.
  package init(
    address: ServerAddress = .loopback, port: UInt16, _ interface: WebInterface,
    onEnd: @escaping @Sendable () -> Void = {}
  ) throws(Failure) {
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
      throw .portInUse
    } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL {
      throw .addressUnavailable
    } catch {
      throw .refused("\(error)")
    }
  }

  /// Closes all connections, and stops to listen.
  package func close() throws {
    try group.syncShutdownGracefully()
  }
}
