import NIOCore
import NIOHTTP1

/// A file of the web page, from `Sources/WebInterface/Page`. The server and the reference page use this list.
package enum PageFile: String, CaseIterable, Sendable {
  case page = "page.html"
  case style = "page.css"
  case main = "main.js"
  case common = "common.js"
  case rules = "rules.js"
  case game = "game.js"
  case board = "board.js"
  case analysis = "analysis.js"
  case play = "play.js"
  case review = "review.js"
  case runs = "runs.js"
  case chart = "chart.js"
  case curves = "curves.js"
  case configurations = "configurations.js"

  /// The content.
  package var bytes: [UInt8] {
    switch self {
    case .page: PackageResources.page_html
    case .style: PackageResources.page_css
    case .main: PackageResources.main_js
    case .common: PackageResources.common_js
    case .rules: PackageResources.rules_js
    case .game: PackageResources.game_js
    case .board: PackageResources.board_js
    case .analysis: PackageResources.analysis_js
    case .play: PackageResources.play_js
    case .review: PackageResources.review_js
    case .runs: PackageResources.runs_js
    case .chart: PackageResources.chart_js
    case .curves: PackageResources.curves_js
    case .configurations: PackageResources.configurations_js
    }
  }

  private var type: String {
    switch self {
    case .page: "text/html"
    case .style: "text/css"
    default: "text/javascript"
    }
  }

  /// The response to a request for the file. The page loads nothing from other servers, and nothing inline.
  var response: Response {
    Response(
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
