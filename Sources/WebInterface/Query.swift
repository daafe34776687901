import FlyingFox
import Game2048

/// Why a request has no answer.
struct RequestError: Error, Equatable {
  let status: HTTPStatusCode
  let message: String

  init(_ status: HTTPStatusCode, _ message: String) {
    self.status = status
    self.message = message
  }

  /// A parameter that is wrong.
  init(_ message: String) {
    self.init(.badRequest, message)
  }
}

/// The parameters of a request.
struct Query {
  private var values: [String: String] = [:]

  /// - Throws: `RequestError` for a parameter that is not among `allowed`, or there twice.
  init(_ request: HTTPRequest, allowed: [String]) throws(RequestError) {
    for item in request.query {
      guard allowed.contains(item.name) else {
        throw RequestError(
          "unknown parameter \(item.name); "
            + (allowed.isEmpty
              ? "there are none here" : "known: \(allowed.joined(separator: ", "))"))
      }
      guard values.updateValue(item.value, forKey: item.name) == nil else {
        throw RequestError("\(item.name) is there twice")
      }
    }
  }

  /// - Throws: `RequestError` if there is no such parameter.
  func text(_ name: String) throws(RequestError) -> String {
    guard let value = values[name] else { throw RequestError("\(name) is missing") }
    return value
  }

  /// A number, 0 to 2^53 − 1, which is as far as JavaScript counts; nil if there is no such parameter.
  func optionalNumber(_ name: String) throws(RequestError) -> Int? {
    guard let text = values[name] else { return nil }
    let range = 0..<(1 << 53)
    guard let number = Int(text), range.contains(number) else {
      throw RequestError("\(name)=\(text) is no whole number from 0 to \(range.upperBound - 1)")
    }
    return number
  }

  /// - Throws: `RequestError` if there is none.
  func number(_ name: String) throws(RequestError) -> Int {
    guard let number = try optionalNumber(name) else { throw RequestError("\(name) is missing") }
    return number
  }

  func direction() throws(RequestError) -> Direction {
    let text = try text("direction")
    guard let direction = Direction.allCases.first(where: { "\($0)" == text }) else {
      throw RequestError("direction=\(text) is none of up, down, left, right")
    }
    return direction
  }

  func board(_ rules: Rules) throws(RequestError) -> Board {
    let text = try text("board")
    let board: Board
    do {
      board = try Board(text: text)
    } catch {
      throw RequestError("\(error)")
    }
    guard rules.haveRoom(for: board) else {
      throw RequestError(
        "the model plays on \(rules.size)x\(rules.size), and a tile lies outside that")
    }
    return board
  }
}
