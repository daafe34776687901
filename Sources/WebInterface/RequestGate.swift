import NIOCore
import NIOHTTP1

/// Passes requests on to the decoder as long as they are within the limits.
///
/// The decoder keeps a line until its end. The gate looks at each byte once and keeps none.
final class RequestGate: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Whether further input is dropped.
  var isShut = false
  private let limits: HTTPLimits
  private var lines = 0
  private var bytesOfLine = 0

  init(_ limits: HTTPLimits) {
    self.limits = limits
  }

  /// Whether a part of a request has arrived.
  var isInRequest: Bool { lines > 0 || bytesOfLine > 0 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isShut { return }
    let bytes = Self.unwrapInboundIn(data)
    for (count, byte) in bytes.readableBytesView.enumerated() {
      guard let error = excess(with: byte) else { continue }
      // The requests before it are answered first.
      let before = bytes.getSlice(at: bytes.readerIndex, length: count)!
      context.fireChannelRead(Self.wrapInboundOut(before))
      return context.fireErrorCaught(error)
    }
    context.fireChannelRead(data)
  }

  /// Counts a byte, and returns the error if it is one too many.
  private func excess(with byte: UInt8) -> RequestError? {
    switch byte {
    case UInt8(ascii: "\r"): return nil
    case UInt8(ascii: "\n"):
      // An empty line ends a request without a body, and others are rejected.
      lines = bytesOfLine == 0 ? 0 : lines + 1
      bytesOfLine = 0
      return nil
    default: bytesOfLine += 1
    }
    if lines == 0 {
      return bytesOfLine <= limits.requestLine
        ? nil
        : RequestError(.uriTooLong, "the request line has more than \(limits.requestLine) bytes.")
    }
    if lines > limits.headers {
      return RequestError(
        .requestHeaderFieldsTooLarge, "the request has more than \(limits.headers) headers.")
    }
    return bytesOfLine <= limits.header
      ? nil
      : RequestError(
        .requestHeaderFieldsTooLarge, "a header has more than \(limits.header) bytes.")
  }
}

/// The limits on what clients can take up; `Docs/Reference/HTTP.md` lists them.
package struct HTTPLimits: Sendable {
  /// The bytes of the request line: method, target and version.
  package var requestLine = 4_096
  /// The bytes of a header: name and value.
  package var header = 8_192
  package var headers = 32
  /// The requests of a connection that may wait for the answer to an earlier one.
  package var waitingRequests = 16
  /// The connections. Further clients wait until one closes.
  package var connections = 512
  /// The seconds from the first byte of a request to its last, and for a new connection from its start.
  package var requestSeconds = 5.0
  /// The seconds in which a client must take an answer.
  package var deliverySeconds = 60.0
  /// The seconds from an answer to the next request of the same connection.
  package var idleSeconds = 30.0

  package init() {}
}
