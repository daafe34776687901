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
    _ document: some DocumentValue, _ status: HTTPResponseStatus = .ok
  ) throws -> Response {
    Response(
      status: status,
      headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
      body: ByteBuffer(string: try JSONEncoder.text(document.json)))
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
    var response = try! json(ErrorMessage(error: error.message), error.status)
    if error.status == .methodNotAllowed {
      response.headers.add(name: "Allow", value: error.allowed)
    }
    return response
  }
}

/// The answer to a request that cannot be answered otherwise.
struct ErrorMessage: Document {
  let error: String

  static let fields: [Field<ErrorMessage>] = [
    Field("error", \.error, "What is wrong, and what to do.")
  ]
}

/// A file of the web page, from `Sources/WebInterface/Page`. The server and the reference page use this list.
package struct PageFile: Sendable {
  package let name: String
  package let bytes: [UInt8]

  static let page = PageFile(name: "page.html", bytes: PackageResources.page_html)

  package static let all = [
    page,
    PageFile(name: "page.css", bytes: PackageResources.page_css),
    PageFile(name: "main.js", bytes: PackageResources.main_js),
    PageFile(name: "common.js", bytes: PackageResources.common_js),
    PageFile(name: "rules.js", bytes: PackageResources.rules_js),
    PageFile(name: "game.js", bytes: PackageResources.game_js),
    PageFile(name: "board.js", bytes: PackageResources.board_js),
    PageFile(name: "analysis.js", bytes: PackageResources.analysis_js),
    PageFile(name: "play.js", bytes: PackageResources.play_js),
    PageFile(name: "review.js", bytes: PackageResources.review_js),
    PageFile(name: "runs.js", bytes: PackageResources.runs_js),
    PageFile(name: "chart.js", bytes: PackageResources.chart_js),
    PageFile(name: "curves.js", bytes: PackageResources.curves_js),
    PageFile(name: "configurations.js", bytes: PackageResources.configurations_js),
  ]

  /// The response to a request for the file. The page loads nothing from other servers, and nothing inline.
  var response: Response {
    let type =
      switch name.split(separator: ".").last {
      case "html": "text/html"
      case "css": "text/css"
      default: "text/javascript"
      }
    return Response(
      status: .ok,
      headers: [
        "Content-Type": "\(type); charset=utf-8", "Cache-Control": "no-cache",
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        "Content-Security-Policy":
          "default-src 'none'; connect-src 'self'; style-src 'self'; script-src 'self'; "
          + "img-src data:; frame-ancestors 'none'",
      ],
      body: ByteBuffer(bytes: bytes))
  }
}
