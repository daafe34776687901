import Dispatch
import NIOCore
import NIOHTTP1
import Search

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
      // Nothing that follows the head of a rejected request matters.
      if case .failure = request { enqueue(received!, context) }
    case .body: break
    case .end: enqueue(received!, context)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    guard isIdle, gate.isInRequest else { return }
    isIdle = false
    expectInput(within: interface.limits.requestSeconds, context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    gate.isShut = true
    pending.removeAll()
    work?.cancel()
    cancellation?.cancel()
    timeout?.cancel()
    endWork()
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

  /// Ends the connection after some time, unless a request is complete by then.
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
