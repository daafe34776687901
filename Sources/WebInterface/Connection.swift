import Dispatch
import NIOCore
import NIOHTTP1
import Search
import Synchronization

/// One client: answers its requests in order, and gives up on a client that is slow, wrong or gone.
///
/// Answers are computed on other threads, and each only when the client has taken the one before. Everything else happens
/// on the event loop.
final class Connection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private struct Pending {
    /// The request, or the reason to reject it, after which the connection closes.
    var request: Result<Request, RequestError>
    /// The other site whose page asks, and which may read the answer.
    var origin: AllowedOrigin?
    var isHead = false
    var keepsAlive = false
  }

  private let interface: WebInterface
  private let gate: RequestGate
  /// Whether this connection is one of those whose bodies are kept.
  private var keepsBody = false
  /// The request whose head has been received.
  private var received: Pending?
  /// The requests to answer; the first is being answered, or its answer is on the way.
  private var pending: [Pending] = []
  private var work: DispatchWorkItem?
  /// Ends the search of the request that is being answered.
  private var cancellation: SearchCancellation?
  private var timeout: Scheduled<Void>?
  private var isIdle = false

  init(_ interface: WebInterface, behind gate: RequestGate) {
    self.interface = interface
    self.gate = gate
  }

  func channelActive(context: ChannelHandlerContext) {
    expectInput(within: interface.limits.requestSeconds, context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if gate.isShut { return }
    switch Self.unwrapInboundIn(data) {
    case .head(let head):
      let origin = Request.allowedOrigin(of: head, interface.origins)
      let request = Result { () throws(RequestError) in
        try Request(head, from: origin, to: interface)
      }
      // The decoder takes what follows a request with this header for another protocol.
      let isUpgrade = head.headers.contains(name: "Upgrade")
      received = Pending(
        request: request, origin: origin, isHead: head.method == .HEAD,
        keepsAlive: head.isKeepAlive && !isUpgrade)
      if case .success(let request) = request, request.bodyLength > 0 { expectBody(of: request) }
      // Nothing that follows the head of a rejected request matters.
      if case .failure = received!.request { enqueue(received!, context) }
    case .body(let part):
      guard case .success(var request) = received?.request else { break }
      received!.request = .failure(RequestError("the body is not complete."))
      request.body.append(contentsOf: part.readableBytesView)
      received!.request = .success(request)
    case .end: enqueue(received!, context)
    }
  }

  /// Lets the body of a request through, unless as many as allowed are kept.
  private func expectBody(of request: Request) {
    keepsBody = keepsBody || interface.bodies.begin(limit: interface.limits.bodies)
    guard keepsBody else {
      received!.request = .failure(
        RequestError(.serviceUnavailable, "too many other bodies are being read. Try again."))
      return
    }
    gate.bodyBytes = request.bodyLength
    // A connection keeps one body.
    received!.keepsAlive = false
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    guard isIdle, gate.isInRequest else { return }
    isIdle = false
    expectInput(within: interface.limits.requestSeconds, context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    gate.isShut = true
    forgetBody()
    pending.removeAll()
    work?.cancel()
    cancellation?.cancel()
    timeout?.cancel()
    endWork()
  }

  /// Lets other bodies be kept.
  private func forgetBody() {
    if keepsBody { interface.bodies.end() }
    keepsBody = false
  }

  /// Lets go of the work, which holds this connection.
  private func endWork() { (work, cancellation) = (nil, nil) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if gate.isShut { return }
    switch error {
    case let error as RequestError: reject(error, context)
    case is HTTPParserError:
      reject(RequestError("this is not a request of HTTP/1.1: \(error)."), context)
    default: context.close(promise: nil)
    }
  }

  private func reject(_ error: RequestError, _ context: ChannelHandlerContext) {
    enqueue(Pending(request: .failure(error)), context)
  }

  private func enqueue(_ request: Pending, _ context: ChannelHandlerContext) {
    if case .failure = request.request { gate.isShut = true }
    if !request.keepsAlive { gate.isShut = true }
    pending.append(request)
    if pending.count == 1 { answerNext(context) }
    if pending.count > interface.limits.waitingRequests { gate.isShut = true }
  }

  private func answerNext(_ context: ChannelHandlerContext) {
    isIdle = false
    timeout?.cancel()
    switch pending.first?.request {
    case nil:
      isIdle = !gate.isInRequest
      let limits = interface.limits
      expectInput(within: isIdle ? limits.idleSeconds : limits.requestSeconds, context)
    case .failure(let error): send(.error(error), context)
    case .success(let request):
      let loop = context.eventLoop
      let connection = NIOLoopBound((handler: self, context: context), eventLoop: loop)
      let cancellation = SearchCancellation()
      let work = DispatchWorkItem { [interface] in
        let response = SearchCancellation.$current.withValue(cancellation) {
          interface.response(to: request)
        }
        loop.execute { connection.value.handler.send(response, connection.value.context) }
      }
      (self.work, self.cancellation) = (work, cancellation)
      interface.perform(work, of: request.endpoint)
    }
  }

  /// Answers the first pending request, unless the client has gone.
  private func send(_ response: Response, _ context: ChannelHandlerContext) {
    guard let request = pending.first else { return }
    endWork()
    let isLast = gate.isShut && pending.count == 1
    // A request with a body is the last of its connection.
    if isLast { forgetBody() }
    var headers = response.headers
    headers.add(name: "Content-Length", value: "\(response.body.readableBytes)")
    headers.add(name: "Connection", value: isLast ? "close" : "keep-alive")
    if let origin = request.origin {
      headers.add(name: "Access-Control-Allow-Origin", value: origin.text)
      headers.add(name: "Vary", value: "Origin")
    }
    schedule(after: interface.limits.deliverySeconds, context) { context.close(promise: nil) }
    let head = HTTPResponseHead(version: .http1_1, status: response.status, headers: headers)
    context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
    if !request.isHead {
      context.write(Self.wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
    }
    // All parts leave in one write: the second of two small ones would wait for a delayed acknowledgement.
    context.writeAndFlush(Self.wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete {
      [self] _ in
      finishAnswer(isLast: isLast, context)
    }
  }

  /// Goes on after an answer that the client has taken, unless it has gone.
  private func finishAnswer(isLast: Bool, _ context: ChannelHandlerContext) {
    if pending.isEmpty { return }
    pending.removeFirst()
    guard isLast else { return answerNext(context) }
    expectInput(within: interface.limits.requestSeconds, context)
    // Closing both directions would reset the connection if input is unread, and the client might lose the answer.
    context.close(mode: .output, promise: nil)
  }

  /// Ends the connection after some time, unless a request is complete before.
  private func expectInput(within seconds: Double, _ context: ChannelHandlerContext) {
    schedule(after: seconds, context) { [self] in
      if gate.isShut || !gate.isInRequest {
        context.close(promise: nil)
      } else {
        reject(
          RequestError(.requestTimeout, "the request was not complete after \(seconds) s."), context
        )
      }
    }
  }

  /// Does something after some time, instead of what was scheduled before.
  private func schedule(
    after seconds: Double, _ context: ChannelHandlerContext, _ task: @escaping () -> Void
  ) {
    timeout?.cancel()
    timeout = context.eventLoop.assumeIsolated().scheduleTask(
      in: .milliseconds(Int64(seconds * 1_000)), task)
  }
}

/// The number of connections whose bodies are kept.
///
/// Thread safety: a mutex guards the number.
final class BodyCount: Sendable {
  private let count = Mutex(0)

  /// Counts one more, unless there are as many as the limit allows.
  func begin(limit: Int) -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  func end() { count.withLock { $0 -= 1 } }
}

/// Passes requests on to the decoder as long as they are within the limits.
///
/// The decoder keeps a line until its end. The gate looks at each byte once and keeps none.
final class RequestGate: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Whether further input is dropped.
  var isShut = false
  /// The bytes of a body that are to come. They are set when the head has been passed on.
  var bodyBytes = 0
  private let limits: HTTPLimits
  private var lines = 0
  private var bytesOfLine = 0

  init(_ limits: HTTPLimits) {
    self.limits = limits
  }

  /// Whether a part of a request has arrived.
  var isInRequest: Bool { lines > 0 || bytesOfLine > 0 || bodyBytes > 0 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = Self.unwrapInboundIn(data)
    while bytes.readableBytes > 0, !isShut {
      var (length, error) = (min(bodyBytes, bytes.readableBytes), RequestError?.none)
      if length > 0 { bodyBytes -= length } else { (length, error) = headBytes(of: bytes) }
      // The requests before an error are answered first.
      let part = bytes.readSlice(length: length)!
      context.fireChannelRead(Self.wrapInboundOut(part))
      if let error { return context.fireErrorCaught(error) }
    }
  }

  /// Returns the number of bytes up to the end of a head, or up to the first one too many, with the error.
  private func headBytes(of bytes: ByteBuffer) -> (Int, RequestError?) {
    for (count, byte) in bytes.readableBytesView.enumerated() {
      if let error = excess(with: byte) { return (count, error) }
      // A body may follow.
      if byte == UInt8(ascii: "\n"), lines == 0 { return (count + 1, nil) }
    }
    return (bytes.readableBytes, nil)
  }

  /// Counts a byte, and returns the error if it is one too many.
  private func excess(with byte: UInt8) -> RequestError? {
    switch byte {
    case UInt8(ascii: "\r"): return nil
    case UInt8(ascii: "\n"):
      // An empty line ends a head.
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
  /// The connections whose bodies are kept at the same time.
  package var bodies = 8
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
