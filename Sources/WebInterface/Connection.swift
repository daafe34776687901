import Dispatch
import NIOCore
import NIOHTTP1
import Search

/// One client: answers its requests in order, and gives up on a client that is slow, wrong or gone.
///
/// Answers are computed on other threads. Everything else happens on the event loop.
final class Connection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private struct Pending {
    /// The request, or the reason to reject it, after which the connection closes.
    var request: Result<Request, RequestError>
    var isHead = false
    var keepsAlive = false
  }

  private let interface: WebInterface
  private let gate: RequestGate
  /// The request whose head has been received.
  private var received: Pending?
  /// The requests to answer; the first is being answered.
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
      let request = Result { () throws(RequestError) in try Request(head, to: interface) }
      // The decoder takes what follows a request with this header for another protocol.
      let isUpgrade = head.headers.contains(name: "Upgrade")
      received = Pending(
        request: request, isHead: head.method == .HEAD, keepsAlive: head.isKeepAlive && !isUpgrade)
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
      isIdle = true
      expectInput(within: interface.limits.idleSeconds, context)
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
    pending.removeFirst()
    endWork()
    let isLast = gate.isShut && pending.isEmpty
    var headers = response.headers
    headers.add(name: "Content-Length", value: "\(response.body.readableBytes)")
    headers.add(name: "Connection", value: isLast ? "close" : "keep-alive")
    let head = HTTPResponseHead(version: .http1_1, status: response.status, headers: headers)
    context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
    if !request.isHead {
      context.write(Self.wrapOutboundOut(.body(.byteBuffer(response.body))), promise: nil)
    }
    // All parts leave in one write: the second of two small ones would wait for a delayed acknowledgement.
    context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    guard isLast else { return answerNext(context) }
    expectInput(within: interface.limits.requestSeconds, context)
    // Closing both directions would reset the connection if input is unread, and the client might lose the answer.
    context.close(mode: .output, promise: nil)
  }

  /// Ends the connection after some time, unless a request is complete by then.
  private func expectInput(within seconds: Double, _ context: ChannelHandlerContext) {
    timeout?.cancel()
    timeout = context.eventLoop.assumeIsolated().scheduleTask(
      in: .milliseconds(Int64(seconds * 1_000))
    ) { [self] in
      if gate.isShut || !gate.isInRequest {
        context.close(promise: nil)
      } else {
        reject(
          RequestError(.requestTimeout, "the request was not complete after \(seconds) s."), context
        )
      }
    }
  }
}
