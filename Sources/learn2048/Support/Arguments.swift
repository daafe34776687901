import ArgumentParser
import Basics
import Console
import Foundation

/// Reads a count such as `1e6` for an option.
func count(_ text: String) throws -> Int {
  do {
    return try Count(parsing: text).value
  } catch {
    throw ValidationError(error.description)
  }
}

/// Reads a count of at least 1.
func positiveCount(_ text: String) throws -> Int {
  let value = try count(text)
  guard value > 0 else { throw ValidationError("it must be at least 1") }
  return value
}

/// Reads a count of at most a million.
func countToAMillion(_ text: String) throws -> Int {
  let value = try count(text)
  guard value <= 1_000_000 else { throw ValidationError("it can be at most 1,000,000") }
  return value
}

/// Reads a count of 1 to a million.
func positiveCountToAMillion(_ text: String) throws -> Int {
  _ = try positiveCount(text)
  return try countToAMillion(text)
}

/// Reads a number of threads.
func threadCount(_ text: String) throws -> Int {
  let value = try positiveCount(text)
  guard value <= 1024 else { throw ValidationError("there can be at most 1024 threads") }
  return value
}

/// Reads a number above 0.
func positiveNumber(_ text: String) throws -> Double {
  guard let value = Double(text), value > 0, value.isFinite else {
    throw ValidationError("it must be a number above 0")
  }
  return value
}

/// Reads a number of minutes, not more than `limit.seconds` can hold.
func trainingMinutes(_ text: String) throws -> Double {
  let value = try positiveNumber(text)
  guard value <= 16_000_000 else {
    throw ValidationError("it can be at most 16000000, which is 30 years")
  }
  return value
}

/// The path of a file of the kind that Configs/ holds, whatever the case of its letters.
///
/// - Throws: `Failure` that says where it was looked up, if there is none.
func configsPath(_ given: String, kind: String) throws -> String {
  if let path = PathLookup.find(given) { return path }
  let place = given.hasPrefix("/") ? "" : " in \(FileManager.default.currentDirectoryPath)"
  throw Failure(
    .missingInput,
    "no \(kind) at \(given)\(place); run learn2048 in the directory that holds Configs/, or name a "
      + "path")
}

/// The number of cores: the default of every `--threads`.
var coreCount: Int { ProcessInfo.processInfo.activeProcessorCount }

/// The switch for colours that every command takes, whether or not it has any to leave out.
struct ColorOptions: ParsableArguments {
  @Flag(name: .customLong("no-color"), help: "Use no colours, as the variable NO_COLOR asks too.")
  var noColor = false
}

/// What every command that prints results shares.
struct OutputOptions: ParsableArguments {
  @OptionGroup var color: ColorOptions

  @Flag(help: "Print results as JSON on standard output, and nothing else there.")
  var json = false
}

extension StandardOutput {
  /// Prints one JSON document on a line of its own.
  static func json(_ document: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    line(String(decoding: try encoder.encode(document), as: UTF8.self))
  }
}
