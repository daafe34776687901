import Basics
import Foundation
import NTupleNetwork

/// All problems of a configuration, reported together.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  /// The problems, one line each.
  public let problems: [String]

  public init(problems: [String]) {
    self.problems = problems
  }

  public var description: String { problems.joined(separator: "\n") }
}

/// A builder of a configuration from a file and settings that override it.
public struct ConfigurationReader {
  /// The configuration as one source after the other has left it, from what the reader starts from on.
  private var layers: [Layer]
  private var reader = DocumentReader(keys: ConfigurationKey.all)
  private let isResuming: Bool
  /// Whether a file could not be read, so that no key can be reported as missing.
  private var hasUnreadFile = false
  /// The file that was read last.
  private var fileName: String?

  /// The configuration after a source has set keys.
  private struct Layer {
    /// The name of the source for messages; nil for what the reader starts from.
    var source: String?
    var configuration: TrainingConfiguration
    /// Whether the limits of the run's length were removed, and none has been set since.
    var isLengthOpen = false
  }

  private static let lengthKeys: Set<String> = ["episodes", "limit.moves", "limit.seconds"]

  /// Creates a reader that starts from `base`: the defaults, or the configuration of a run to resume.
  public init(base: TrainingConfiguration = TrainingConfiguration(), isResuming: Bool = false) {
    layers = [Layer(source: nil, configuration: base)]
    self.isResuming = isResuming
  }

  /// Reads the text of a configuration file.
  ///
  /// - Parameters:
  ///   - data: The text.
  ///   - name: The name of the file for messages.
  public mutating func read(_ data: Data, name: String) {
    fileName = name
    do {
      read(try JSONValue(document: data, name: name), name: name)
    } catch {
      hasUnreadFile = true
      reader.problems.append(contentsOf: error.problems)
    }
  }

  /// Reads a configuration, or a part of one.
  ///
  /// - Parameter name: the name of the source for messages.
  package mutating func read(_ document: JSONValue, name: String) {
    guard let members = document.object else {
      hasUnreadFile = true
      reader.problems.append(
        "\(name): a configuration is a JSON object, such as {\"episodes\": 1000}.")
      return
    }
    for (path, value) in reader.settings(of: members, name: name) {
      set(path, to: value, option: name)
    }
  }

  /// Applies a `KEY=VALUE` of the command line.
  public mutating func set(_ assignment: String) {
    guard let separator = assignment.firstIndex(of: "=") else {
      reader.problems.append("--set \(assignment): no value. Write KEY=VALUE, such as seed=7.")
      return
    }
    let path = String(assignment[..<separator])
    let text = String(assignment[assignment.index(after: separator)...])
    set(path, to: JSONValue(commandLine: text), option: "--set")
  }

  /// Removes all limits of the run's length, so that the next setting alone decides it.
  public mutating func clearLength() {
    let last = layers.count - 1
    layers[last].configuration.episodes = 0
    layers[last].configuration.limitMoves = 0
    layers[last].configuration.limitSeconds = 0
    layers[last].isLengthOpen = true
  }

  /// Sets a key, for example by the value of an option such as `--seed`, which messages name.
  package mutating func set(_ path: String, to value: JSONValue, option name: String) {
    let removed = RemovedSetting.all.filter { $0.path == path }
    if let removed = removed.first(where: { $0.requiresRemoved(value) }) {
      reader.refuse(path, "\(name): \(removed.problem(of: value))")
      return
    }
    let isKnown = ConfigurationKey.all.contains { $0.path == path }
    if !isKnown, !removed.isEmpty { return }
    guard let key = reader.key(at: path, for: value, name: name) else { return }
    if isResuming && !key.mayChangeOnResume {
      reader.problems.append(
        "\(name): \(path) cannot change in a resumed run, since its weights were learned with it. "
          + "Start a new run with --init.")
      return
    }
    if layers[layers.count - 1].source != name {
      layers.append(layers[layers.count - 1])
      layers[layers.count - 1].source = name
    }
    let last = layers.count - 1
    guard reader.store(value, at: key, in: &layers[last].configuration, name: name) else { return }
    if ConfigurationReader.lengthKeys.contains(path) { layers[last].isLengthOpen = false }
  }

  /// Returns the configuration.
  ///
  /// - Parameter name: The name for messages about what is missing in all sources; by default, that of the file.
  /// - Throws: ``ConfigurationError`` with all problems.
  public func finished(
    name: String? = nil
  ) throws(ConfigurationError) -> TrainingConfiguration {
    let configuration = layers[layers.count - 1].configuration
    var problems = reader.problems
    let found = problemsOfTheWhole(configuration)
    if !found.isEmpty {
      let before = layers.dropLast().map {
        Set(problemsOfTheWhole($0.configuration, checksLength: !$0.isLengthOpen))
      }
      for problem in found {
        // The source of a problem is the first one since which it has been there.
        let index = before.lastIndex { !$0.contains(problem) }.map { $0 + 1 } ?? 0
        let place = layers[index].source ?? name ?? fileName
        problems.append(place.map { "\($0): \(problem)" } ?? problem)
      }
    }
    guard problems.isEmpty else { throw ConfigurationError(problems: problems.lines) }
    return configuration
  }

  /// Returns the problems of values that are allowed one by one, but not together.
  private func problemsOfTheWhole(
    _ configuration: TrainingConfiguration, checksLength: Bool = true
  ) -> [String] {
    var found: [String] = []
    let isLengthRead = reader.refusedKeys.isDisjoint(with: ConfigurationReader.lengthKeys)
    if isLengthRead, checksLength, configuration.length == RunLength() {
      found.append(
        "episodes = 0 is not allowed without limit.moves or limit.seconds, since the run would not end."
      )
    }
    if configuration.patterns.isEmpty, !hasUnreadFile,
      !reader.refusedKeys.contains("network.patterns")
    {
      found.append(
        "network.patterns is missing. Set the cells that the network reads, such as "
          + "[\"012345\", \"456789\", \"012456\", \"45689a\"], or \"4x6\".")
    }
    var orbits: [UInt16: String] = [:]
    for text in configuration.patterns {
      do {
        let size = configuration.boardSize
        let orbit = try Pattern(text, boardSize: size).orbit(boardSize: size)
        if let other = orbits.updateValue(text, forKey: orbit) {
          found.append(
            "network.patterns: \"\(other)\" and \"\(text)\" read the same cells of images of a board. "
              + "Remove one of them, since every pattern is looked up in all eight images.")
        }
      } catch {
        found.append(sentence("network.patterns: \"\(text)\" is not a pattern: \(error)"))
      }
    }
    if configuration.stageRule == nil, !reader.refusedKeys.contains("network.stages") {
      found.append(
        configuration.stages == .none
          ? "network.stageTiles is set without network.stages. Set that to largestTile."
          : "network.stages = largestTile requires 1 to 14 different network.stageTiles.")
    }
    if configuration.inheritEveryEpisodes > 0,
      configuration.method.steps.contains(where: { $0.value != .tc })
    {
      found.append(
        "learning.inheritEveryEpisodes requires learning.method = tc from the beginning, since only its "
          + "accumulators show which entries have been updated.")
    }
    return found + configuration.problemsOfStarts() + configuration.problemsOfRounds
  }
}

extension JSONValue {
  /// Parses the text of a file that people write.
  ///
  /// - Parameter name: the path, for messages.
  /// - Throws: ``ConfigurationError`` with the line and column of a syntax error.
  package init(document data: Data, name: String) throws(ConfigurationError) {
    let bytes = [UInt8](data)
    do {
      self = try JSONParser.parse(bytes)
    } catch {
      let place = error.place(in: bytes)
      let problem = "\(name): \(place): not valid JSON: the document \(error.problem)."
      throw ConfigurationError(problems: [problem.shortened.printable()])
    }
  }

  /// Reads a value typed on a command line: JSON, a count with underscores, or else a plain string.
  package init(commandLine text: String) {
    let plain = text.contains(where: \.isNumber) ? text.replacing("_", with: "") : text
    for candidate in [text, plain] {
      if let value = try? JSONParser.parse(Array(candidate.utf8)) {
        self = value
        return
      }
    }
    self = .string(text)
  }
}

extension TrainingConfiguration {
  /// Every key with its value, in the order of the reference page.
  package var values: [(path: String, value: JSONValue)] {
    ConfigurationKey.all.map { ($0.path, $0.write(self)) }
  }

  /// The resolved configuration as a JSON document with every key.
  package var json: JSONValue {
    var document = JSONValue.object([:])
    for key in ConfigurationKey.all { document.insert(key.write(self), at: key.names) }
    return document
  }

  /// The resolved configuration as indented JSON.
  public var jsonText: String { json.indentedText }
}

extension JSONValue {
  /// Returns the member of nested objects that a key such as `learning.batchSize` names; nil if it is missing.
  func value(at path: String) -> JSONValue? {
    path.split(separator: ".").reduce(self as JSONValue?) { $0?.object?[String($1)] }
  }

  /// Sets a member of nested objects, and creates those that are missing.
  mutating func insert(_ value: JSONValue, at path: some Collection<String>) {
    guard case .object(var members) = self, let first = path.first else { return }
    if path.count == 1 {
      members[first] = value
    } else {
      members[first, default: .object([:])].insert(value, at: Array(path.dropFirst()))
    }
    self = .object(members)
  }
}

/// The problems of a configuration or plan that are reported together.
///
/// A file may have any number of problems, and quote any text. The first ones are kept, shortened, and the
/// others are counted.
package struct ProblemList {
  /// The number of problems that are kept.
  private static let most = 50

  private var kept: [String] = []
  private var further = 0

  package init() {}

  package var isEmpty: Bool { kept.isEmpty }

  /// The lines of the report.
  package var lines: [String] {
    further == 0 ? kept : kept + ["… and \(further) further problems."]
  }

  /// Adds a problem, whose text is computed only if it is kept.
  package mutating func append(_ problem: @autoclosure () -> String) {
    guard kept.count < ProblemList.most else {
      further += 1
      return
    }
    kept.append(problem().shortened.printable())
  }

  /// Adds problems that are not in the list yet.
  package mutating func append(contentsOf problems: some Sequence<String>) {
    for problem in problems where !kept.contains(problem) { append(problem) }
  }
}

/// A key whose value differs between a saved configuration and the current one.
public struct ConfigurationChange: Equatable, Sendable {
  /// The key, such as `learning.batchSize`.
  public let path: String
  /// The saved value, as JSON.
  public let before: String
  /// The current value, as JSON.
  public let after: String
  /// Whether a resumed run may change the value.
  public let mayChangeOnResume: Bool
}

extension TrainingConfiguration {
  /// Returns the keys whose values differ from those of a saved configuration, in the order of the
  /// reference page.
  ///
  /// Keys that the saved configuration lacks are left out: an earlier version did not have them.
  ///
  /// - Parameter saved: the saved configuration as JSON, as in the metadata of a weight file.
  public func changes(since saved: String) -> [ConfigurationChange] {
    guard let document = try? JSONParser.parse(Array(saved.utf8)) else { return [] }
    return ConfigurationKey.all.compactMap { key in
      guard let value = document.value(at: key.path) else { return nil }
      // An earlier version may have written the same value in another form.
      var configuration = TrainingConfiguration()
      let before = key.read(value, &configuration) ? key.write(configuration) : value
      let after = key.write(self)
      guard before != after else { return nil }
      return ConfigurationChange(
        path: key.path, before: before.text, after: after.text,
        mayChangeOnResume: key.mayChangeOnResume)
    }
  }
}
