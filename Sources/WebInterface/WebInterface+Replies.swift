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
    let channel = EmbeddedChannel()
    try addHandlers(to: channel.pipeline.syncOperations)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 2048)).wait()
    for chunk in chunks where channel.isActive {
      try channel.writeInbound(ByteBuffer(bytes: chunk))
      channel.embeddedEventLoop.run()
    }
    _ = try channel.finish(acceptAlreadyClosed: true)
    var replies: [UInt8] = []
    while case .byteBuffer(let buffer)? = try channel.readOutbound(as: IOData.self) {
      replies += buffer.readableBytesView
    }
    return replies
  }
}
