import Basics
import Training

/// The OpenAPI description of the requests, made of the list of endpoints.
extension Endpoint {
  /// The description as indented JSON.
  package static var openAPIText: String { openAPI.indentedText }

  /// The description. Requests without the token of `serve --host` are not described: it depends on the server.
  static var openAPI: JSONValue {
    let paths = allCases.map { ($0.pathTemplate, JSONValue.object(["get": $0.operation])) }
    return .object([
      "openapi": "3.1.0",
      "info": .object([
        "title": "learn2048 serve",
        "description":
          "Games, action values, recorded games and training runs. Docs/Reference/HTTP.md has the same in prose.",
        // That of the interface, so that a new commit changes no file.
        "version": "1",
      ]),
      "servers": [.object(["url": "/"])],
      "paths": .object(Dictionary(uniqueKeysWithValues: paths)),
      "components": .object(["schemas": .object(schemas)]),
    ])
  }

  /// The path with its variable part in braces.
  private var pathTemplate: String {
    guard let variable else { return path }
    return fixedStart! + "{\(variable)}"
  }

  private var operation: JSONValue {
    var parameters = (self.parameters ?? []).map { parameter in
      JSONValue.object([
        "name": .string(parameter.name), "in": "query", "required": .bool(parameter.isRequired),
        "description": .string(parameter.meaning), "schema": parameter.kind.schema,
      ])
    }
    if let variable {
      parameters.append(
        .object([
          "name": .string(variable), "in": "path", "required": true, "schema": variableSchema,
        ]))
    }
    var statuses = Dictionary(grouping: Endpoint.commonErrors + errors, by: \.status)
      .mapValues { errors in
        Endpoint.response(
          errors.map(\.meaning).joined(separator: " "), "application/json",
          Endpoint.reference("Error"))
      }
    statuses[200] = Endpoint.response(answer, mediaType, schema)
    return .object([
      "operationId": .string(name), "summary": .string(answer),
      "parameters": .array(parameters),
      "responses": .object(
        Dictionary(uniqueKeysWithValues: statuses.map { ("\($0)", $1) })),
    ])
  }

  private static func response(
    _ description: String, _ mediaType: String, _ schema: JSONValue
  ) -> JSONValue {
    .object([
      "description": .string(description),
      "content": .object([mediaType: .object(["schema": schema])]),
    ])
  }

  static func reference(_ name: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  // MARK: Schemas

  /// An object with required keys and optional ones.
  private static func object(
    _ required: [String: JSONValue], optional: [String: JSONValue] = [:]
  ) -> JSONValue {
    [
      "type": "object", "required": .array(required.keys.sorted().map { .string($0) }),
      "properties": .object(required.merging(optional) { $1 }), "additionalProperties": false,
    ]
  }

  static func list(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

  private static let count: JSONValue = ["type": "integer", "minimum": 0]
  private static let number: JSONValue = ["type": "number"]
  private static let string: JSONValue = ["type": "string"]
  private static let boolean: JSONValue = ["type": "boolean"]
  private static let cell: JSONValue = ["type": "integer", "minimum": 0, "maximum": 15]
  private static let board: JSONValue = ["type": "string", "pattern": "^[0-9A-H]{16}$"]
  /// As in an answer, before the move, which can make a tile beyond 131072.
  private static let afterstate: JSONValue = ["type": "string", "pattern": "^[0-9A-I]{16}$"]
  private static let direction = Parameter.Kind.direction.schema

  private static var schemas: [String: JSONValue] {
    [
      "Error": object(["error": string]),
      "Server": object([
        "version": string, "model": string, "boardSize": count,
        "players": list(object(["player": string, "label": string, "valuesArePoints": boolean])),
      ]),
      "Game": object(["seed": count, "board": board]),
      "Move": object([
        "afterstate": board, "reward": count, "board": board, "isOver": boolean,
        "slides": list(object(["from": cell, "to": cell])),
        "spawn": object(["cell": cell, "exponent": ["type": "integer", "enum": [1, 2]]]),
      ]),
      "Analysis": object(
        [
          "board": board, "player": string, "valuesArePoints": boolean, "milliseconds": number,
          "best": ["anyOf": [direction, ["type": "null"]]],
          "moves": list(
            object([
              "direction": direction, "legal": boolean, "reward": count, "afterstate": afterstate,
              "value": ["type": ["number", "null"]],
            ])),
        ], optional: ["next": reference("Move")]),
      "RecordedGames": object([
        "players": list(string), "games": count,
        "list": list(object(["game": count, "scores": list(count)])),
      ]),
      "RecordedGame": object([
        "game": count, "player": string, "seed": count, "score": count, "boards": list(board),
        "moves": list(direction),
      ]),
      "Run": object(
        ["name": string, "isTraining": boolean],
        optional: ["last": reference("Report"), "bestMeanScore": number, "secondsLeft": number]),
      "Report": report(ReportKey.all, under: ""),
    ]
  }

  /// The schema of the keys of a report that lie directly in a group.
  private static func report(_ keys: [ReportKey], under group: String) -> JSONValue {
    var (required, optional) = ([String: JSONValue](), [String: JSONValue]())
    for key in keys where key.path.hasPrefix(group) {
      let name = String(key.path.dropFirst(group.count))
      guard !name.contains(".") else { continue }
      let members = keys.contains { $0.path.hasPrefix(key.path + ".") }
      var schema: JSONValue =
        switch name {
        case "reached": ["type": "object", "additionalProperties": number]
        case "ci95": ["type": "array", "items": number, "minItems": 2, "maxItems": 2]
        default: members ? report(keys, under: key.path + ".") : number
        }
      if case .object(var object) = schema {
        object["description"] = .string(key.meaning)
        schema = .object(object)
      }
      if key.isOptional { optional[name] = schema } else { required[name] = schema }
    }
    return object(required, optional: optional)
  }
}

extension Endpoint.Parameter.Kind {
  /// The values of a parameter.
  var schema: JSONValue {
    let whole: [String: JSONValue] = [
      "type": "integer", "minimum": 0, "maximum": .integer(Query.numbers.upperBound - 1),
    ]
    return switch self {
    case .board:
      [
        "type": "string", "pattern": "^[0-9A-Ha-h]{16}$",
        "description": "16 exponents in base 18, row by row. 16 tile values are accepted, too.",
      ]
    case .direction: ["type": "string", "enum": ["up", "down", "left", "right"]]
    case .number: .object(whole)
    case .player: ["type": "string", "minLength": 1]
    }
  }
}
