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
