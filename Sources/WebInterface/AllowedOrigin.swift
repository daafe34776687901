import Foundation

/// A web site whose scripts may ask for moves with ``Endpoint/bestMove``, such as `https://example.org`.
package struct AllowedOrigin: Hashable, Sendable {
  /// The origin as browsers send it.
  package let text: String

  /// Reads an origin; nil if the text is none: a scheme and a host, with a port if it is not the usual one.
  ///
  /// The origin `null` is none, because every site can send it.
  package init?(_ text: String) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = parts.host?.lowercased(), !host.isEmpty,
      ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil, parts.user == nil
    else { return nil }
    let usualPort = scheme == "http" ? 80 : 443
    let port = parts.port.flatMap { $0 == usualPort ? nil : ":\($0)" } ?? ""
    self.text = "\(scheme)://\(host)\(port)"
  }
}
