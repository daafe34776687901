import Basics
import Foundation
import NIOCore
import NIOHTTP1

/// What a request is answered with.
struct Response: Sendable {
  var status: HTTPResponseStatus
  var headers: HTTPHeaders
  var body: ByteBuffer

  /// Returns a response with a JSON document.
  static func json(
    _ document: some Encodable, _ status: HTTPResponseStatus = .ok
  ) throws -> Response {
    Response(
      status: status,
      headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
      body: ByteBuffer(string: try JSONEncoder.text(document)))
  }

  /// Returns a response with a text.
  static func text(_ text: String) -> Response {
    Response(
      status: .ok,
      headers: [
        "Content-Type": "text/plain", "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
      ],
      body: ByteBuffer(string: text))
  }

  /// Returns the response to a request that cannot be answered.
  static func error(_ error: RequestError) -> Response {
    // A text can always be encoded.
    var response = try! json(["error": error.message], error.status)
    if error.status == .methodNotAllowed { response.headers.add(name: "Allow", value: "GET, HEAD") }
    return response
  }
}
