import Foundation

/// A client that sends any bytes over a socket.
public final class SocketClient {
  public struct CannotConnect: Error {
    public let errno: Int32
  }

  private let descriptor: Int32
  /// What has arrived; who reads it removes it.
  public var received: [UInt8] = []

  /// Connects to a port of this machine.
  public init(port: Int) throws(CannotConnect) {
    #if os(Linux)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    // A server that never answers fails the test.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw CannotConnect(errno: errno) }
  }

  deinit { close(descriptor) }

  /// Ends the connection.
  public func disconnect() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Sends a text; returns false if the server has closed the connection.
  @discardableResult
  public func send(_ text: String) -> Bool {
    #if os(Linux)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, flags)
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  public func get(_ target: String, method: String = "GET") {
    send("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
  }

  /// Waits until something arrives; returns false at the end of the connection, or after 20 s.
  public func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { received += buffer[..<count] }
    return count > 0
  }

  /// Whether something arrives, or the server ends the connection, within some milliseconds.
  public func isAnswered(within milliseconds: Int32) -> Bool {
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&poller, 1, milliseconds) > 0
  }
}
