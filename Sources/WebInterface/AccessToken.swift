/// A random text that clients must know to be answered.
///
/// A client sends it as the parameter ``parameter``. A browser that opens the page with it gets it as a cookie of the
/// same name, which it sends from then on.
package struct AccessToken: Sendable {
  /// The name of the parameter and of the cookie.
  package static let parameter = "token"

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
  func isCookie(in headers: [String]) -> Bool {
    headers.joined(separator: ";").split(separator: ";").contains { cookie in
      let parts = cookie.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 && parts[0].drop { $0 == " " } == AccessToken.parameter
        && matches(parts[1])
    }
  }

  /// The header that makes a browser keep the token: for 30 days, hidden from scripts, and for requests of the page only.
  var cookie: String {
    "\(AccessToken.parameter)=\(text); Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"
  }
}
