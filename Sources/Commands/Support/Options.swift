import ArgumentParser
import Basics
import Foundation
import Play
import Training

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

  init(name: NameSpecification = .long, _ valueName: String, _ help: String)
  where Value == String? {
    self.init(
      name: name, help: ArgumentHelp(help, valueName: valueName),
      completion: .named(valueName))
  }

  init(name: NameSpecification = .long, _ valueName: String, repeatable help: String)
  where Value == [String] {
    self.init(
      wrappedValue: [], name: name, parsing: .singleValue,
      help: ArgumentHelp(help, valueName: valueName),
      completion: .named(valueName))
  }
}

func count(_ text: String) throws -> Int {
  do {
    return try Count(parsing: text).value
  } catch {
    throw ValidationError(error.description)
  }
}

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

let positiveCount = count(in: 1...Int.max)

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

extension CompletionKind {
  /// Returns the completion of a value by its name in the help; nil if the shell has none.
  static func named(_ valueName: String) -> CompletionKind? {
    switch valueName {
    case "file": .file()
    case "dir": .directory
    case "model": .models
    case "run": .runs
    case "player": .list(PlayerKind.allCases.map(\.name))
    case "key=value": .list(ConfigurationKey.all.map(\.path))
    default: nil
    }
  }

  /// The completion of a run: the names of the runs in `Models/`, and directories.
  static let runs = custom { _, _, typed in
    candidates(ModelLocator.runs.map(\.name), typed: typed, files: { _ in false })
  }

  /// The completion of a MODEL: the bundled model, the names of the runs in `Models/`, and paths of weight files.
  static let models = custom { _, _, typed in
    candidates(
      ["default"] + ModelLocator.runs.map(\.name), typed: typed,
      files: { ["compact", "safetensors", "w"].contains(($0 as NSString).pathExtension) })
  }

  /// Returns the names and paths that begin with a text. If the only match is a directory, returns its contents
  /// instead, because zsh would put a space after it.
  ///
  /// The scripts of some shells would expand special characters. Names with such characters are left out.
  ///
  /// - Parameter files: Whether the path of a file is a candidate. Directories always are.
  private static func candidates(
    _ names: [String], typed: String, files: (_ path: String) -> Bool
  ) -> [String] {
    let directory = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let expanded = (directory as NSString).expandingTildeInPath
    let contents =
      (try? FileManager.default.contentsOfDirectory(atPath: expanded.isEmpty ? "." : expanded))
      ?? []
    let start = typed.dropFirst(directory.count)
    let found = contents.filter {
      $0.hasPrefix(start) && (start.hasPrefix(".") || !$0.hasPrefix("."))
    }
    let paths = found.sorted().compactMap { name in
      let path = (expanded as NSString).appendingPathComponent(name)
      if PathLookup.isDirectory(path) { return directory + name + "/" }
      return files(path) ? directory + name : nil
    }
    let matches = (names + paths).filter { $0.hasPrefix(typed) && shellWord($0) == $0 }
    if matches.count == 1, matches[0].hasSuffix("/") {
      let inside = candidates([], typed: matches[0], files: files)
      if !inside.isEmpty { return inside }
    }
    // Bash adds the slash of a directory.
    return CompletionShell.requesting == .bash
      ? matches.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } : matches
  }
}
