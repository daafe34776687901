import Foundation

/// A random text that clients must know to be answered.
///
/// A client sends it as the parameter ``parameter``. A browser that opens the page with it gets it as a cookie, which it
/// sends from then on.
package struct AccessToken: Sendable {
  /// The name of the parameter.
  package static let parameter = "token"

  /// Returns the name of the cookie: a browser keeps those of all servers of a host together, whatever their ports.
  ///
  /// - Parameter host: The `Host` headers of the request.
  static func cookieName(host: [String]) -> String {
    let port = host.first.flatMap { ServerAddress.split($0)?.port } ?? ""
    return port.isEmpty ? parameter : "\(parameter)-\(port)"
  }

  /// Characters that are not mistaken for one another.
  private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789")

  package let text: String

  /// Creates a token of 130 bits from the random source of the system.
  package init() {
    var source = SystemRandomNumberGenerator()
    text = String((0..<26).map { _ in AccessToken.alphabet.randomElement(using: &source)! })
  }

  /// Whether a text is this token. The time that this takes does not depend on the place where they differ.
  func matches(_ other: some StringProtocol) -> Bool {
    let (own, given) = (Array(text.utf8), Array(other.utf8))
    guard own.count == given.count else { return false }
    return zip(own, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Whether one of the cookies of a request is this token.
  func isCookie(_ name: String, in headers: [String]) -> Bool {
    headers.joined(separator: ";").split(separator: ";").contains { cookie in
      let parts = cookie.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 && parts[0].drop { $0 == " " } == name
        && matches(parts[1])
    }
  }

  /// The header that makes a browser keep the token: for 30 days, hidden from scripts, and for requests of the page only.
  func cookie(_ name: String) -> String {
    "\(name)=\(text); Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"
  }
}

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
