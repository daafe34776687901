import Basics
import Foundation
import TestSupport
import Testing

@testable import Training
@testable import WebInterface

@Suite("The documented requests")
struct EndpointTests {
  /// Values of parameters with which every endpoint answers.
  private let values = [
    "board": "1120000000000000", "direction": "left", "seed": "1", "moves": "0", "player": "greedy",
    "after": "100", "exponents": "0",
  ]

  private func get(
    _ endpoint: Endpoint, without missing: String? = nil, extra: [String: String] = [:],
    hasReports: Bool = false
  ) throws -> Answer {
    let parameters = (endpoint.parameters ?? []).map(\.name).filter { $0 != missing }
    let query = parameters.map { ($0, values[$0] ?? "") } + extra.map { ($0.key, $0.value) }
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.file("NAME"), withIntermediateDirectories: false)
    try directory.write(Array(#"{"network": {"patterns": ["012"]}}"#.utf8), "NAME/config.json")
    if hasReports {
      let reports = [100, 200].map { episodes in
        #"""
        {"episodes":\#(episodes),"moves":9,"wallSeconds":2,"movesPerSecond":5,"meanScore":3,"maxScore":9,\#
        "reached":{"64":0.5},"learningRate":1,"evaluation":{"games":2,"meanScore":8,"ci95":[7,9]}}

        """#
      }
      try directory.write(Array(reports.joined().utf8), "NAME/metrics.jsonl")
    }
    let interface = try WebInterface.forTests(
      runs: [RunDirectory(path: directory.file("NAME"))], games: .forTests(players: ["greedy"]))
    let path =
      switch endpoint {
      case .pageFile: "/page/page.css"
      case .recordedGame: "/api/games/1"
      default: endpoint.path
      }
    let target = path + "?" + query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    return try endpoint.body == nil
      ? interface.get(target: target)
      : interface.post(target, "1120000000000000\n2200100000000000")
  }

  @Test("every one answers with its parameters", arguments: Endpoint.allCases)
  func answers(endpoint: Endpoint) throws {
    #expect(try get(endpoint).status == 200)
  }

  @Test("every answer fits its schema", arguments: Endpoint.allCases)
  func schemas(endpoint: Endpoint) throws {
    let answer = try get(endpoint, hasReports: true)
    let content = endpoint.content
    guard content.mediaType == "application/json" else {
      let text = JSONValue.string(String(decoding: answer.body, as: UTF8.self))
      return #expect(accepts(.object(content.schema), text))
    }
    let document = try JSONParser.parse(answer.body)
    let elements = try content.isList ? #require(document.array) : [document]
    for element in elements {
      #expect(accepts(.object(content.schema), element), "\(element.text)")
    }
    let error = try JSONParser.parse(get(endpoint, extra: ["frobnicate": "1"]).body)
    if endpoint.parameters != nil { #expect(error.object.map { Set($0.keys) } == ["error"]) }
  }

  @Test("every parameter is required, or not, as documented", arguments: Endpoint.allCases)
  func required(endpoint: Endpoint) throws {
    for parameter in endpoint.parameters ?? [] {
      let answer = try get(endpoint, without: parameter.name)
      #expect(answer.status == (parameter.isRequired ? 400 : 200), "\(parameter.name)")
    }
    let unknown = try get(endpoint, extra: ["frobnicate": "1"])
    #expect(unknown.status == (endpoint.parameters == nil ? 200 : 400))
  }

  @Test("an answer has the keys that are named first in its documentation")
  func keys() throws {
    for (endpoint, keys) in [
      (Endpoint.server, ["version", "model", "boardSize", "players"]), (.game, ["seed", "board"]),
      (.move, ["afterstate", "reward", "slides", "spawn", "board", "isOver"]),
      (
        .analyze,
        [
          "board", "best", "isFromTable", "moves", "player", "valuesArePoints", "milliseconds",
          "next",
        ]
      ),
      (.recordedGames, ["players", "games", "list"]),
      (.recordedGame, ["game", "player", "seed", "score", "boards", "moves"]),
      (.playedGame, ["boards", "moves", "scores"]),
    ] {
      #expect(try Set(get(endpoint).json.keys) == Set(keys), "\(endpoint.path)")
    }
    #expect(try get(.configuration).json.keys.contains("learning"))
    let run = try #require(try get(.runs).array.first)
    #expect(Set(run.keys) == ["name", "isTraining"])
  }

  @Test("the OpenAPI description has every request with its parameters and statuses")
  func openAPI() throws {
    let document = try get(.interfaceDescription).json
    #expect(document["openapi"] as? String == "3.1.0")
    let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    #expect(paths.count == Endpoint.allCases.count)
    for endpoint in Endpoint.allCases {
      let path = endpoint.variable.map { endpoint.fixedStart! + "{\($0)}" } ?? endpoint.path
      let operation = try #require(paths[path]?[endpoint.body == nil ? "get" : "post"], "\(path)")
      let parameters = try #require(operation["parameters"] as? [[String: Any]])
      let names = (endpoint.parameters ?? []).map(\.name) + [endpoint.variable].compactMap { $0 }
      #expect(parameters.map { $0["name"] as? String } == names)
      let statuses = Set((endpoint.errors + Endpoint.commonErrors).map { "\($0.status)" })
      let responses = try #require(operation["responses"] as? [String: Any])
      #expect(Set(responses.keys) == statuses.union(["200"]))
    }
    // References lead to schemas.
    let components = try #require(document["components"] as? [String: [String: Any]])
    let schemas = try #require(components["schemas"]).keys
    for match in Endpoint.openAPIText.matches(of: /"#\/components\/schemas\/(\w+)"/) {
      #expect(schemas.contains(String(match.output.1)))
    }
    let report = try #require(components["schemas"]?["Report"] as? [String: Any])
    let keys = try #require(report["properties"] as? [String: Any]).keys
    #expect(keys.contains("meanScore") && keys.contains("evaluation"))
  }

  @Test("other paths are not found", arguments: ["/api", "/api/", "/page", "/api/server/", "//"])
  func others(path: String) throws {
    #expect(try WebInterface.forTests().get(path).status == 404)
  }
}
