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

/// An IP address on which a server listens.
package struct ServerAddress: Equatable, Sendable {
  /// The address of this machine that only this machine reaches.
  package static let loopback = ServerAddress("127.0.0.1")!

  /// The address as text, in its shortest form.
  package let text: String

  /// Reads an address; nil if the text is neither an IP address nor `localhost`.
  package init?(_ text: some StringProtocol) {
    let text = text == "localhost" ? "127.0.0.1" : String(text)
    guard let address = try? SocketAddress(ipAddress: text, port: 0), let text = address.ipAddress
    else { return nil }
    self.text = text
  }

  /// Whether only this machine reaches the address.
  package var isLoopback: Bool { text.hasPrefix("127.") || text == "::1" }

  private var isIPv6: Bool { text.contains(":") }

  /// The addresses by which other machines reach a server that listens on this one.
  ///
  /// They are those of the network interfaces if it listens on all, without those that are valid on one link only.
  package var reachable: [ServerAddress] {
    guard ["0.0.0.0", "::"].contains(text) else { return [self] }
    let devices = (try? System.enumerateDevices()) ?? []
    var found: [ServerAddress] = []
    for address in devices.compactMap({ $0.address?.ipAddress }).compactMap({ ServerAddress($0) })
    where !address.isLoopback && !address.text.lowercased().hasPrefix("fe80:")
      && !(address.isIPv6 && !isIPv6) && !found.contains(address)
    {
      found.append(address)
    }
    found.sort { !$0.isIPv6 && $1.isIPv6 }
    return found.isEmpty ? [.loopback] : found
  }

  /// Returns the address of the page for browsers.
  package func page(port: Int, token: AccessToken?) -> String {
    let query = token.map { "?\(AccessToken.parameter)=\($0.text)" } ?? ""
    return "http://\(isIPv6 ? "[\(text)]" : text):\(port)/\(query)"
  }

  /// Returns the host and the port of a `Host` header; nil if it is none. The port is empty if it is the usual one.
  static func split(_ header: String) -> (host: Substring, port: Substring)? {
    var (host, rest) = (header[...], header[header.endIndex...])
    if header.hasPrefix("["), let end = header.firstIndex(of: "]") {
      (host, rest) = (header[..<end].dropFirst(), header[end...].dropFirst())
    } else if let colon = header.lastIndex(of: ":") {
      (host, rest) = (header[..<colon], header[colon...])
    }
    let port = rest.dropFirst()
    guard rest.isEmpty || rest.first == ":", port.allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return (host, port)
  }
}
