import Foundation
import Testing

extension Workspace {
  /// Returns the output of a command that succeeds.
  @discardableResult
  func output(_ arguments: [String]) throws -> String {
    let outcome = try run(arguments)
    try #require(outcome.code == 0, "\(outcome)")
    return outcome.output
  }

  /// Trains a new run with the tiny configuration until it ends.
  func train(_ arguments: String...) throws {
    try output(["train", "--config", "tiny.json"] + arguments)
  }

  /// Resumes a run until it ends.
  func resume(_ name: String, _ arguments: String...) throws {
    try output(["train", "--resume", name] + arguments)
  }

  /// Returns the output of `evaluate`.
  func evaluate(_ arguments: String...) throws -> JSON {
    try JSON(output(["evaluate"] + arguments + ["--json"]))
  }

  /// Returns the output of `inspect` for a model.
  func inspect(_ model: String) throws -> JSON {
    try JSON(output(["inspect", model, "--json"]))
  }

  /// Returns the checksum of a model's weights.
  func checksum(_ model: String) throws -> String {
    try #require(try inspect(model)["checksum"].string)
  }

  /// Returns the reports in a run's `metrics.jsonl`.
  func reports(_ name: String) throws -> [JSON] {
    try text("Models/\(name)/metrics.jsonl").split(separator: "\n").map { try JSON($0) }
  }

  /// Changes one byte of a file.
  func damage(_ name: String, at place: (_ count: Int) -> Int) throws {
    var bytes = try directory.bytes(name)
    bytes[place(bytes.count)] ^= 0x01
    try directory.write(bytes, name)
  }
}
