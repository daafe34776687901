import Basics
import Dispatch

/// A request that the server answers.
///
/// ``allCases`` is the only list of them. The router, the reference page and the OpenAPI description follow from it.
package struct Endpoint: CaseIterable, Equatable, Sendable {
  /// A parameter of the query.
  package struct Parameter: Sendable {
    /// What the values of a parameter are.
    enum Kind: Sendable {
      case board, direction, number, player
    }
    package let name: String
    let kind: Kind
    package let isRequired: Bool
    /// The meaning, as a noun phrase.
    package let meaning: String

    static func required(_ name: String, _ kind: Kind, _ meaning: String) -> Parameter {
      Parameter(name: name, kind: kind, isRequired: true, meaning: meaning)
    }

    static func optional(_ name: String, _ kind: Kind, _ meaning: String) -> Parameter {
      Parameter(name: name, kind: kind, isRequired: false, meaning: meaning)
    }
  }

  /// The name in the OpenAPI description.
  let name: String
  /// The path, in which `NAME` and `N` at the end stand for any text.
  package let path: String
  /// The parameters that the query may have; nil if it is ignored.
  package var parameters: [Parameter]? = []
  /// The answer, in Markdown.
  package let answer: String
  /// The statuses of requests that cannot be answered, besides those of every request.
  package var errors: [(status: Int, meaning: String)] = []
  var mediaType = "application/json"
  /// The schemas of the answer, and of the text in place of `NAME` or `N`.
  let schema: JSONValue
  var variableSchema: JSONValue = ["type": "string", "minLength": 1]
  /// The queue on which answers are computed.
  let queue: KeyPath<WebInterface, DispatchQueue> & Sendable
  let respond: @Sendable (WebInterface, Request) throws -> Response

  package static func == (a: Endpoint, b: Endpoint) -> Bool { a.path == b.path }

  /// Finds the endpoint of a path.
  ///
  /// - Returns: the endpoint and the text in place of `NAME` or `N`, which is empty for the other paths; nil if
  ///   there is none.
  static func find(_ path: String) -> (endpoint: Endpoint, name: String)? {
    for endpoint in allCases {
      guard let start = endpoint.fixedStart else {
        if path == endpoint.path { return (endpoint, "") }
        continue
      }
      if path.hasPrefix(start) { return (endpoint, String(path.dropFirst(start.count))) }
    }
    return nil
  }

  /// The part of the path before `NAME` or `N`; nil if the path has none.
  var fixedStart: String? {
    variable.map { String(path.dropLast($0.count)) }
  }

  /// `NAME` or `N` if the path ends with it.
  var variable: String? {
    ["NAME", "N"].first { path.hasSuffix("/\($0)") }
  }
}
