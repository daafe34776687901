import NIOCore

/// An IP address on which a server listens.
package struct ServerAddress: Equatable, Sendable {
  /// The address of this machine that only this machine reaches.
  package static let loopback = ServerAddress("127.0.0.1")!

  /// The address as text, in its shortest form.
  package let text: String

  /// Reads an address; nil if the text is neither an IP address nor `localhost`.
  package init?(_ text: some StringProtocol) {
    let text = text == "localhost" ? "127.0.0.1" : String(text)
    guard let address = try? SocketAddress(ipAddress: text, port: 0), let text = address.ipAddress
    else { return nil }
    self.text = text
  }

  /// Whether only this machine reaches the address.
  package var isLoopback: Bool { text.hasPrefix("127.") || text == "::1" }

  private var isIPv6: Bool { text.contains(":") }

  /// The addresses by which other machines reach a server that listens on this one.
  ///
  /// They are those of the network interfaces if it listens on all, without those that are valid on one link only.
  package var reachable: [ServerAddress] {
    guard ["0.0.0.0", "::"].contains(text) else { return [self] }
    let devices = (try? System.enumerateDevices()) ?? []
    var found: [ServerAddress] = []
    for address in devices.compactMap({ $0.address?.ipAddress }).compactMap({ ServerAddress($0) })
    where !address.isLoopback && !address.text.lowercased().hasPrefix("fe80:")
      && !(address.isIPv6 && !isIPv6) && !found.contains(address)
    {
      found.append(address)
    }
    found.sort { !$0.isIPv6 && $1.isIPv6 }
    return found.isEmpty ? [.loopback] : found
  }

  /// Returns the address of the page for browsers.
  package func page(port: Int, token: AccessToken?) -> String {
    let query = token.map { "?\(AccessToken.parameter)=\($0.text)" } ?? ""
    return "http://\(isIPv6 ? "[\(text)]" : text):\(port)/\(query)"
  }

  /// Returns the host that a `Host` header names, without its port.
  static func host(ofHeader header: String) -> Substring {
    if header.hasPrefix("["), let end = header.firstIndex(of: "]") {
      return header[header.index(after: header.startIndex)..<end]
    }
    return header.lastIndex(of: ":").map { header[..<$0] } ?? header[...]
  }
}
