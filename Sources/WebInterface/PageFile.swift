import NIOCore
import NIOHTTP1

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
