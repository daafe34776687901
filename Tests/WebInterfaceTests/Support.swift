import Foundation
import Game2048
import NTupleNetwork
import Play
import TestSupport
import Testing

@testable import Training
@testable import WebInterface

/// What a request was answered with.
struct Answer {
  let status: Int
  let headers: [String: String]
  let body: [UInt8]

  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }
  var array: [[String: Any]] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [[String: Any]] ?? []
  }
  var error: String { json["error"] as? String ?? "" }

  /// Takes the first answer from what a server has sent; nil if it is not complete.
  init?(from bytes: inout [UInt8], hasBody: Bool = true) {
    let separator = Array("\r\n\r\n".utf8)
    guard
      let end = bytes.indices.first(where: { bytes[$0...].starts(with: separator) })
    else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    let fields = lines.dropFirst().map { $0.components(separatedBy: ": ") }
    headers = Dictionary(uniqueKeysWithValues: fields.map { ($0[0], $0[1]) })
    status = Int(lines[0].split(separator: " ")[1])!
    let start = end + separator.count
    let length = hasBody ? Int(headers["Content-Length"]!)! : 0
    guard bytes.count >= start + length else { return nil }
    body = Array(bytes[start..<start + length])
    bytes.removeFirst(start + length)
  }
}

extension WebInterface {
  /// An interface to a small network, and to the runs of a directory.
  static func forTests(
    network: NTupleNetwork = TestNetworks.random(["012", "456"]), rules: Rules = .standard,
    runs: [RunDirectory] = [], games: GameRecordFile? = nil, token: AccessToken? = nil,
    origins: Set<AllowedOrigin> = [], endgame: String? = nil,
    limits: HTTPLimits = HTTPLimits(), isSynchronous: Bool = true
  ) -> WebInterface {
    WebInterface(
      modelName: "small", players: PlayerFactory(network: network, rules: rules),
      games: games.map { ($0, "games") },
      endgame: endgame, runs: { runs }, token: token, origins: origins, limits: limits,
      isSynchronous: isSynchronous)
  }

  func get(
    _ path: String, _ parameters: KeyValuePairs<String, String> = [:], method: String = "GET",
    headers: [String: String] = [:]
  ) throws -> Answer {
    let query = parameters.map { "\($0.key)=\(encoded($0.value))" }.joined(separator: "&")
    return try get(
      target: "\(encoded(path))\(query.isEmpty ? "" : "?")\(query)", method: method,
      headers: headers)
  }

  func get(
    target: String, method: String = "GET", headers: [String: String] = [:]
  ) throws -> Answer {
    let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
    var replies = try replies(to: [Array("\(method) \(target) HTTP/1.1\r\n\(lines)\r\n".utf8)])
    let answer = try #require(Answer(from: &replies, hasBody: method != "HEAD"))
    #expect(replies.isEmpty)
    return answer
  }

  /// Sends a text as the body of a request.
  func post(
    _ target: String, _ text: String, headers: [String: String] = [:]
  ) throws -> Answer {
    var lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
    lines += "Content-Length: \(text.utf8.count)\r\n"
    var replies = try replies(to: [Array("POST \(target) HTTP/1.1\r\n\(lines)\r\n\(text)".utf8)])
    let answer = try #require(Answer(from: &replies, hasBody: true))
    #expect(replies.isEmpty)
    return answer
  }

  private func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)!
  }
}

extension SocketClient {
  /// Waits for the next answer.
  func answer(hasBody: Bool = true) throws -> Answer {
    while true {
      if let answer = Answer(from: &received, hasBody: hasBody) { return answer }
      try #require(receive(), "the connection was closed, or there was no answer")
    }
  }

  /// Waits until the server closes the connection, and requires that it sends nothing before.
  func waitForEnd() {
    #expect(!receive() && isAnswered(within: 0))
    #expect(received.isEmpty)
  }
}
