import Basics
import Foundation
import Game2048

/// The parameters of a request.
struct Query {
  private var values: [String: String] = [:]

  /// Reads the parameters.
  ///
  /// - Parameter allowed: the names of the parameters; nil if they are ignored.
  /// - Throws: `RequestError` for a parameter that is not allowed, or given twice.
  init(_ items: [URLQueryItem], allowed: [String]?) throws(RequestError) {
    guard let allowed else { return }
    for item in items {
      guard allowed.contains(item.name) else {
        throw RequestError(
          "unknown parameter '\(item.name)'."
            + (allowed.isEmpty
              ? " This request has no parameters."
              : " Parameters: \(allowed.joined(separator: ", "))."))
      }
      guard values.updateValue(item.value ?? "", forKey: item.name) == nil else {
        throw RequestError("\(item.name) is given twice. Give it once.")
      }
    }
  }

  /// Returns the value of a parameter; nil if it is missing.
  func optionalText(_ name: String) -> String? { values[name] }

  /// Returns the value of a parameter.
  ///
  /// - Throws: `RequestError` if it is missing.
  func text(_ name: String) throws(RequestError) -> String {
    guard let value = values[name] else { throw RequestError("\(name) is missing.") }
    return value
  }

  /// The whole numbers that are allowed, up to the largest exact one of JavaScript.
  static let numbers = 0..<(1 << 53)

  /// Returns a whole number in ``numbers``; nil if it is missing.
  func optionalNumber(_ name: String) throws(RequestError) -> Int? {
    guard let text = values[name] else { return nil }
    let range = Query.numbers
    // `Int` would accept a sign.
    guard text.first != "+", text.first != "-", let number = Int(text), range.contains(number)
    else {
      throw RequestError(
        "\(name)=\(text) is not allowed. Use a whole number from 0 to \(range.upperBound - 1).")
    }
    return number
  }

  /// Returns a whole number.
  ///
  /// - Throws: `RequestError` if it is missing or not a whole number.
  func number(_ name: String) throws(RequestError) -> Int {
    guard let number = try optionalNumber(name) else { throw RequestError("\(name) is missing.") }
    return number
  }

  /// Returns the parameter `direction`.
  func direction() throws(RequestError) -> Direction {
    let text = try text("direction")
    guard let direction = Direction.allCases.first(where: { "\($0)" == text }) else {
      throw RequestError("direction=\(text) is not allowed. Use up, down, left or right.")
    }
    return direction
  }

  /// Returns the parameter `board`.
  func board(_ rules: Rules) throws(RequestError) -> Board {
    let text = try text("board")
    let board: Board
    do {
      board = try Board(text: text)
    } catch {
      throw RequestError(sentence("\(error)"))
    }
    guard rules.haveRoom(for: board) else {
      throw RequestError(
        "a tile lies outside the \(rules.size)x\(rules.size) board of the model.")
    }
    return board
  }
}
