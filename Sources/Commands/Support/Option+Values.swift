import ArgumentParser
import Basics
import Foundation

// Options are declared by the name and the meaning of their value, and the function that reads it.
extension Option {
  /// An option with a default. Its value may start with a dash, so that `read` can reject a negative number.
  init(
    wrappedValue: Value, _ valueName: String, _ help: String,
    read: @Sendable @escaping (String) throws -> Value
  ) {
    self.init(
      wrappedValue: wrappedValue, parsing: .unconditional,
      help: ArgumentHelp(help, valueName: valueName), transform: read)
  }

  /// An option without a default, whose value may start with a dash.
  init<T>(
    _ valueName: String, _ help: String, read: @Sendable @escaping (String) throws -> T
  ) where Value == T? {
    self.init(
      parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName), transform: read)
  }

  /// An option for a text, such as a path.
  init(name: NameSpecification = .long, _ valueName: String, _ help: String)
  where Value == String? {
    self.init(
      name: name, help: ArgumentHelp(help, valueName: valueName),
      completion: .named(valueName))
  }

  /// An option that can be repeated.
  init(name: NameSpecification = .long, _ valueName: String, repeatable help: String)
  where Value == [String] {
    self.init(
      wrappedValue: [], name: name, parsing: .singleValue,
      help: ArgumentHelp(help, valueName: valueName),
      completion: .named(valueName))
  }
}

/// Reads a count such as `1e6` for an option.
func count(_ text: String) throws -> Int {
  do {
    return try Count(parsing: text).value
  } catch {
    throw ValidationError(error.description)
  }
}

/// Returns a function that reads a count in a range.
func count(in range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
  { text in
    let value = try count(text)
    if range.contains(value) { return value }
    let bound =
      value < range.lowerBound
      ? "least \(range.lowerBound)" : "most \(NumberText.grouped(range.upperBound))"
    throw ValidationError("Use a count of at \(bound).")
  }
}

/// Reads a count of at least 1.
let positiveCount = count(in: 1...Int.max)

/// Reads a number of threads.
func threadCount(_ text: String) throws -> Int {
  let value = try positiveCount(text)
  guard value <= 1024 else { throw ValidationError("Use 1 to 1024 threads.") }
  return value
}

/// Returns a function that reads a value, or reports that a text is not `description`.
func value<Value>(
  _ description: String, read: @Sendable @escaping (String) -> Value?
) -> @Sendable (String) throws -> Value {
  { text in
    guard let value = read(text) else {
      throw ValidationError("'\(text)' is not \(description).")
    }
    return value
  }
}

/// Returns a function that reads a list of values, separated by commas.
func list<Value>(
  of read: @Sendable @escaping (String) throws -> Value
) -> @Sendable (String) throws -> [Value] {
  { text in
    try text.split(separator: ",", omittingEmptySubsequences: false).map { try read(String($0)) }
  }
}

/// Returns a function that reads a finite number for which `isAllowed` holds.
func number(
  _ problem: String, where isAllowed: @Sendable @escaping (Double) -> Bool
) -> @Sendable (String) throws -> Double {
  { text in
    guard let value = Double(text), value.isFinite, isAllowed(value) else {
      throw ValidationError(problem)
    }
    return value
  }
}

/// Returns the name of the first option that was given.
func firstGiven(_ options: KeyValuePairs<String, Any?>) -> String? {
  options.first { $0.value != nil }?.key
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

  /// Prints results: a document on one line with `--json`, otherwise text.
  func show(_ document: some DocumentValue, text: @autoclosure () -> String) throws {
    StandardOutput.line(try json ? JSONEncoder.text(document.json) : text())
  }
}

/// A hidden command that scripts/checks/documentation runs for commands that take too long to be run.
struct ParseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse",
    abstract: "Check the arguments of another command without running it.",
    shouldDisplay: false)

  @Argument(parsing: .captureForPassthrough, help: "The arguments to check.")
  var arguments: [String] = []

  func run() throws {
    _ = try Learn2048.parse(arguments: arguments)
  }
}
