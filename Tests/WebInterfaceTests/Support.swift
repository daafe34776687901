import FlyingFox
import Foundation
import Game2048
import NTupleNetwork
import TestSupport
import Testing

@testable import Checkpoints
@testable import WebInterface

/// What a request was answered with.
struct Answer {
  let status: Int
  let headers: [String: String]
  let body: Data

  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
  }
  var array: [[String: Any]] {
    (try? JSONSerialization.jsonObject(with: body)) as? [[String: Any]] ?? []
  }
  var error: String { json["error"] as? String ?? "" }

  init(_ response: HTTPResponse) async throws {
    status = response.statusCode.code
    headers = Dictionary(
      uniqueKeysWithValues: response.headers.map { ($0.key.rawValue, $0.value) })
    body = try await response.bodyData
  }
}

extension WebInterface {
  /// An interface to a small network, and to the runs of a directory.
  static func forTests(
    network: NTupleNetwork = TestNetworks.random(["012", "456"]), rules: Rules = .standard,
    runs: [RunDirectory] = []
  ) -> WebInterface {
    WebInterface(
      Content(modelName: "small", network: network, rules: rules, runs: { runs }))
  }

  func get(
    _ path: String, _ parameters: KeyValuePairs<String, String> = [:], method: HTTPMethod = .GET,
    headers: [HTTPHeader: String] = [:]
  ) async throws -> Answer {
    try await Answer(
      handleRequest(
        HTTPRequest(
          method: method, version: .http11, path: path,
          query: parameters.map { .init(name: $0.key, value: $0.value) }, headers: headers,
          body: Data())))
  }
}
