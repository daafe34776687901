import NIOCore
import NIOEmbedded

extension WebInterface {
  /// Passes bytes through the handlers of a connection, and returns all that the server sends.
  ///
  /// No socket and no other thread takes part. The bytes need not be requests, so a fuzzer can call it.
  ///
  /// - Parameter chunks: The bytes, as they arrive.
  /// - Precondition: The interface is synchronous.
  package func replies(to chunks: [[UInt8]]) throws -> [UInt8] {
    let channel = try EmbeddedChannel(to: self)
    for chunk in chunks where channel.isActive { try channel.receive(ByteBuffer(bytes: chunk)) }
    _ = try channel.finish(acceptAlreadyClosed: true)
    return try channel.takeReplies()
  }
}

extension EmbeddedChannel {
  /// Creates a connection to an interface.
  convenience init(to interface: WebInterface) throws {
    self.init()
    try interface.addHandlers(to: pipeline.syncOperations)
    try connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 2048)).wait()
  }

  /// Passes on bytes that arrive, and does what they cause.
  func receive(_ bytes: ByteBuffer) throws {
    try writeInbound(bytes)
    embeddedEventLoop.run()
  }

  /// Removes and returns what the server has sent.
  func takeReplies() throws -> [UInt8] {
    var replies: [UInt8] = []
    while case .byteBuffer(let buffer)? = try readOutbound(as: IOData.self) {
      replies += buffer.readableBytesView
    }
    return replies
  }
}
