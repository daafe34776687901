import Basics
import Game2048
import Play

/// The OpenAPI description of the requests, made of the list of endpoints.
extension Endpoint {
  package static var openAPIText: String { openAPI.indentedText }

  /// The description. Requests without the token of `serve --host` are not described: it depends on the server.
  static var openAPI: JSONValue {
    let paths = allCases.map {
      ($0.pathTemplate, JSONValue.object([$0.method.lowercased(): $0.operation]))
    }
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
          "name": .string(variable), "in": "path", "required": true,
          "schema": .object(variableSchema),
        ]))
    }
    var statuses = Dictionary(grouping: Endpoint.commonErrors + errors, by: \.status)
      .mapValues { errors in
        Endpoint.response(
          errors.map(\.meaning).joined(separator: " "), Endpoint.errorContent)
      }
    statuses[200] = Endpoint.response(answer, content)
    var operation: [String: JSONValue] = [
      "operationId": .string(name), "summary": .string(answer),
      "parameters": .array(parameters),
      "responses": .object(
        Dictionary(uniqueKeysWithValues: statuses.map { ("\($0)", $1) })),
    ]
    if let body {
      operation["requestBody"] = .object([
        "description": .string(body), "required": true,
        "content": .object(["text/plain": .object(["schema": .object(ValueSchema.string)])]),
      ])
    }
    return .object(operation)
  }

  private static func response(_ description: String, _ content: Content) -> JSONValue {
    let element: ValueSchema.Members =
      content.name.map { ["$ref": .string("#/components/schemas/\($0)")] } ?? content.schema
    let schema = content.isList ? ValueSchema.list(of: element) : element
    return .object([
      "description": .string(description),
      "content": .object([content.mediaType: .object(["schema": .object(schema)])]),
    ])
  }

  private static let errorContent = Content.document("Error", ErrorMessage.self)

  /// The schemas of the documents, by name.
  private static var schemas: [String: JSONValue] {
    let named = ([errorContent] + allCases.map(\.content)).compactMap { content in
      content.name.map { ($0, JSONValue.object(content.schema)) }
    }
    return Dictionary(uniqueKeysWithValues: named)
  }
}

extension Endpoint.Parameter.Kind {
  var schema: JSONValue {
    switch self {
    case .board:
      [
        "type": "string", "pattern": "^[0-9A-Ha-h]{16}$",
        "description":
          "16 exponents in base 18, row by row. Docs/Tasks/Play.md lists what is accepted, too.",
      ]
    case .direction: .object(Direction.schema)
    case .flag: .object(ValueSchema.names(["0", "1"]))
    case .number: .object(ValueSchema.integer(0...(Query.numbers.upperBound - 1)))
    case .player: ["type": "string", "minLength": 1]
    case .seed:
      [
        "type": "string", "pattern": "^[0-9]{1,19}$",
        "description": "A whole number from 0 to 18446744073709551615.",
      ]
    }
  }
}
