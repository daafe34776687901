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
  guard value > 0 else { throw ValidationError("Use a count of at least 1.") }
  return value
}

/// Reads a count of at most a million.
func countToAMillion(_ text: String) throws -> Int {
  let value = try count(text)
  guard value <= 1_000_000 else { throw ValidationError("Use a count of at most 1,000,000.") }
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
  guard value <= 1024 else { throw ValidationError("Use 1 to 1024 threads.") }
  return value
}

/// Reads a number above 0.
func positiveNumber(_ text: String) throws -> Double {
  guard let value = Double(text), value > 0, value.isFinite else {
    throw ValidationError("Use a number above 0.")
  }
  return value
}

/// Reads a number of minutes that `limit.seconds` can hold.
func trainingMinutes(_ text: String) throws -> Double {
  let value = try positiveNumber(text)
  guard value <= 16_000_000 else {
    throw ValidationError("Use at most 16000000 minutes, which are 30 years.")
  }
  return value
}

/// Returns the path of a configuration or plan, ignoring case.
///
/// - Parameters:
///   - given: the path as typed.
///   - kind: the kind of the file for the message.
/// - Throws: `Failure` with the directory of the look-up if there is no such file.
func configsPath(_ given: String, kind: String) throws -> String {
  if let path = PathLookup.find(given) { return path }
  let place = given.hasPrefix("/") ? "" : " in \(FileManager.default.currentDirectoryPath)"
  throw Failure(
    .missingInput,
    "no \(kind) at \(given)\(place). Check the path, or run learn2048 in the directory that holds "
      + "Configs/.")
}

/// The number of cores, which is the default of every `--threads`.
var coreCount: Int { ProcessInfo.processInfo.activeProcessorCount }

/// The option for colours, which every command accepts even if it prints none.
struct ColorOptions: ParsableArguments {
  @Flag(name: .customLong("no-color"), help: "Disable colours (also: NO_COLOR=1).")
  var noColor = false
}

/// The options of every command that prints results.
struct OutputOptions: ParsableArguments {
  @OptionGroup var color: ColorOptions

  @Flag(help: "Print the results as JSON, and nothing else, on standard output.")
  var json = false
}

extension StandardOutput {
  /// Prints a JSON document on one line.
  static func json(_ document: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    line(String(decoding: try encoder.encode(document), as: UTF8.self))
  }
}
