import Foundation
import Game2048
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import WebInterface

/// Without sockets, and with a clock that only the test advances.
@Suite("The handlers of a connection")
struct ConnectionTests {
  /// Sends a text, and returns the answer, if there is one.
  private func answer(to text: String = "", on channel: EmbeddedChannel) throws -> Answer? {
    try channel.receive(ByteBuffer(string: text))
    var replies = try channel.takeReplies()
    let answer = Answer(from: &replies)
    #expect(replies.isEmpty)
    return answer
  }

  private static let request = "GET /api/game HTTP/1.1\r\n\r\n"

  // Promise: The page is for those who may see it
  @Test("a slow request times out, however often its bytes arrive")
  func slowRequest() throws {
    let channel = try EmbeddedChannel(to: .forTests())
    let request = "GET /api/game HTTP/1.1\r\nX: ..............................."
    for (number, byte) in request.enumerated() {
      let answer = try answer(to: String(byte), on: channel)
      // The limit is 5 s.
      #expect(answer?.status == (number == 50 ? 408 : nil))
      if let answer {
        #expect(answer.headers["Connection"] == "close")
        break
      }
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(100))
    }
    #expect(!channel.isActive)
    #expect(try channel.takeReplies().isEmpty)
  }

  @Test("a connection on which nothing arrives closes")
  func silentClient() throws {
    let channel = try EmbeddedChannel(to: .forTests())
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(4_999))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(!channel.isActive)
    #expect(try channel.takeReplies().isEmpty)
  }

  @Test("an idle connection closes, unless another request arrives")
  func idleConnection() throws {
    let channel = try EmbeddedChannel(to: .forTests())
    for _ in 0..<2 {
      #expect(try answer(to: Self.request, on: channel)?.headers["Connection"] == "keep-alive")
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(29_999))
      #expect(channel.isActive)
    }
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(!channel.isActive)
    #expect(try channel.takeReplies().isEmpty)
  }

  @Test("a slow request after an answer times out")
  func slowSecondRequest() throws {
    let channel = try EmbeddedChannel(to: .forTests())
    #expect(try answer(to: Self.request, on: channel)?.status == 200)
    channel.embeddedEventLoop.advanceTime(by: .seconds(20))
    #expect(try answer(to: "GET /", on: channel) == nil)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(4_999))
    #expect(try answer(on: channel) == nil)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(try answer(on: channel)?.status == 408)
    #expect(!channel.isActive)
  }

  /// Holds back what is written, as a socket does whose client does not read.
  private final class SlowClient: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    private var held: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      held.append((data, promise))
    }

    /// Takes all that was held back.
    func read(from channel: EmbeddedChannel) throws {
      let context = try channel.pipeline.syncOperations.context(handler: self)
      for (data, promise) in held { context.write(data, promise: promise) }
      held = []
      context.flush()
      channel.embeddedEventLoop.run()
    }
  }

  /// A connection of a client that takes nothing until it reads.
  private func slowClient() throws -> (EmbeddedChannel, SlowClient) {
    let channel = try EmbeddedChannel(to: .forTests())
    let client = SlowClient()
    try channel.pipeline.syncOperations.addHandler(client, position: .first)
    return (channel, client)
  }

  @Test("an answer waits until the client has taken the one before")
  func slowReader() throws {
    let (channel, client) = try slowClient()
    try channel.receive(ByteBuffer(string: String(repeating: Self.request, count: 3)))
    for _ in 0..<3 {
      #expect(try channel.takeReplies().isEmpty)
      try client.read(from: channel)
      // One answer, although three were asked for.
      #expect(try answer(on: channel)?.status == 200)
    }
    #expect(channel.isActive)
  }

  @Test("a client that does not take its answer is disconnected")
  func stuckReader() throws {
    let (channel, _) = try slowClient()
    try channel.receive(ByteBuffer(string: Self.request))
    // Longer than an idle connection stays open.
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(59_999))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(!channel.isActive)
  }

  @Test("a request behind another one times out as soon as any")
  func partialSecondRequest() throws {
    let channel = try EmbeddedChannel(to: .forTests())
    #expect(try answer(to: Self.request + "GET /", on: channel)?.status == 200)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(4_999))
    #expect(try answer(on: channel) == nil)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(try answer(on: channel)?.status == 408)
  }

  @Test("a request is answered, whatever follows it")
  func excessBehindRequest() throws {
    let line = "GET /" + String(repeating: "a", count: 5_000)
    var replies = try WebInterface.forTests().replies(to: [Array((Self.request + line).utf8)])
    #expect(Answer(from: &replies)?.status == 200)
    #expect(Answer(from: &replies)?.status == 414)
    #expect(replies.isEmpty)
  }

  /// Counts the writes to the socket.
  private final class FlushCounter: ChannelOutboundHandler {
    typealias OutboundIn = Never
    var count = 0
    func flush(context: ChannelHandlerContext) {
      count += 1
      context.flush()
    }
  }

  @Test("an answer leaves in one write", arguments: ["GET / ", "HEAD / ", "GET /api/game ", "X "])
  func oneWrite(request: String) throws {
    let channel = EmbeddedChannel()
    let counter = FlushCounter()
    try channel.pipeline.syncOperations.addHandler(counter)
    try WebInterface.forTests().addHandlers(to: channel.pipeline.syncOperations)
    channel.pipeline.fireChannelActive()
    try channel.writeInbound(ByteBuffer(string: "\(request)HTTP/1.1\r\n\r\n"))
    channel.embeddedEventLoop.run()
    #expect(counter.count == 1)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  // Promise: The page is for those who may see it
  @Test(
    "nothing remains of a connection that has closed",
    arguments: [
      "", "GET /", request, request + request, "X /", "X\r\n\r\n", "GET /wrong HTTP/1.1\r\n\r\n",
      "POST / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nno header\r\n\r\n",
    ])
  func nothingRemains(text: String) throws {
    weak var connection: Connection?
    do {
      let channel = try EmbeddedChannel(to: .forTests())
      connection = try channel.pipeline.syncOperations.handler(type: Connection.self)
      try channel.receive(ByteBuffer(string: text))
      _ = try channel.finish(acceptAlreadyClosed: true)
    }
    // A message about the connection itself would not end.
    let isGone = connection == nil
    #expect(isGone)
  }

  @Test("a request is answered alike in any pieces")
  func pieces() throws {
    let interface = WebInterface.forTests()
    let request = Array("GET /api/game?seed=1 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    let whole = try interface.replies(to: [request])
    #expect(whole.starts(with: Array("HTTP/1.1 200 OK".utf8)))
    #expect(try interface.replies(to: request.map { [$0] }) == whole)
    let game = Array(
      "POST /api/played HTTP/1.1\r\nContent-Length: 33\r\n\r\n1120000000000000\n2200100000000000"
        .utf8)
    let read = try interface.replies(to: [game])
    #expect(read.starts(with: Array("HTTP/1.1 200 OK".utf8)))
    #expect(try interface.replies(to: game.map { [$0] }) == read)
  }

  // Promise: The page is for those who may see it
  @Test("no bytes stop the server, and every answer is complete")
  func anyBytes() throws {
    let interface = WebInterface.forTests()
    let requests = [
      "GET /api/move?board=1120000000000000&direction=left&seed=1&moves=0 HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
      "POST /api HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
      "POST /api/played HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
      "GET /api/runs/%2e%00%ff?after=1&after HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
    ].map { Array($0.utf8) }
    var source = Xoshiro256(seed: 1)
    for _ in 0..<300 {
      var bytes = requests.shuffled(using: &source).joined() + []
      for _ in 0..<Int.random(in: 0..<8, using: &source) {
        let place = Int.random(in: 0..<bytes.count, using: &source)
        switch Int.random(in: 0..<3, using: &source) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &source)
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
        }
      }
      let cut = Int.random(in: 0...bytes.count, using: &source)
      var replies = try interface.replies(to: [Array(bytes[..<cut]), Array(bytes[cut...])])
      while !replies.isEmpty {
        let text = String(decoding: replies, as: UTF8.self)
        // An answer to HEAD has no body, so the next answer or nothing follows its head.
        let isHead = text.firstRange(of: "\r\n\r\n").map { text[$0.upperBound...] }
          .map { $0.isEmpty || $0.hasPrefix("HTTP/1.1 ") }
        #expect(text.hasPrefix("HTTP/1.1 "))
        let answer = Answer(from: &replies, hasBody: isHead == false)
        try #require(answer != nil, "\(text)")
      }
    }
  }
}
