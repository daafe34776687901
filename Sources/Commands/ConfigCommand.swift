import ArgumentParser
import Basics
import Training

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "List the keys of a training configuration, or say when to change some.",
    discussion: """
        learn2048 config
        learn2048 config learning.lambda
        learn2048 config starts

      A key with its values can be written to a configuration file, or set with 'train --set'. --schema \
      prints the JSON Schema that the shipped configurations name, so that editors complete keys and check \
      values.
      """)

  @Argument(
    help: "Keys, or groups of keys such as starts, to explain.",
    completion: .list(ConfigurationKey.all.map(\.path)))
  var keys: [String] = []

  @Flag(help: "Print the JSON Schema of a configuration.")
  var schema = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if schema, !keys.isEmpty {
      throw ValidationError("--schema is about all keys. Leave out \(keys[0]).")
    }
    if schema, output.json {
      throw ValidationError("--schema prints JSON already. Leave out --json.")
    }
  }

  func run() throws {
    if schema { return StandardOutput.line(ConfigurationKey.schemaText) }
    let chosen = try keys.isEmpty ? ConfigurationKey.all : keys.flatMap(ConfigurationKey.named)
    let text =
      keys.isEmpty ? ConfigurationKey.list : chosen.map(\.explanation).joined(separator: "\n\n")
    try output.show(chosen, text: text)
  }
}

extension ConfigurationKey {
  /// Returns the key, or the keys of the group, with a name.
  fileprivate static func named(_ name: String) throws -> [ConfigurationKey] {
    let found = all.filter { $0.path == name || $0.path.hasPrefix(name + ".") }
    guard !found.isEmpty else {
      throw Failure(usage: "unknown key '\(name)'.\(suggestion(for: name))", of: ["config"])
    }
    return found
  }

  /// All keys with their defaults: those that most runs set, and then the others.
  fileprivate static var list: String {
    let groups = [("Basic keys", true), ("Advanced keys", false)].map { title, isBasic in
      "\(title)\n\n"
        + all.filter { $0.advice.isBasic == isBasic }.map(\.line).joined(separator: "\n")
    }
    return (groups + [wrapped("'learn2048 config KEY' says when to change a key.")])
      .joined(separator: "\n\n")
  }

  private var valueText: String { defaultValue.map { " = \($0.text)" } ?? "" }

  /// The key with its default, and the first sentence of its meaning.
  fileprivate var line: String {
    let sentence = summary.prefix { $0 != "." }
    let rest = summary.dropFirst(sentence.count)
    // A point within a number or a name does not end the sentence.
    let isWhole = rest.count <= 1 || rest.hasPrefix(". ")
    return "\(path)\(valueText)\n" + wrapped(isWhole ? sentence + "." : summary, indent: 4)
  }

  fileprivate var explanation: String {
    let resume =
      mayChangeOnResume
      ? "It can change when a run is resumed." : "It cannot change when a run is resumed."
    return """
      \(path)\(valueText)
      \(wrapped(summary, indent: 4))
      \(wrapped("Allowed: \(allowed).", indent: 4))
      \(wrapped(resume, indent: 4))
      \(wrapped(advice.text, indent: 4))
      """ + (advice.experiment.map { "\n    See Docs/Notebook/\($0)" } ?? "")
  }
}

extension ConfigurationKey: Document, DocumentValue {
  package static let fields: [Field<ConfigurationKey>] = [
    Field("key", \.path, "The key."),
    Field(optional: "default", \.defaultValue, "Its default; missing if the key must be set."),
    Field("allowed", \.allowed, "The allowed values, in words."),
    Field(
      "canChangeOnResume", \.mayChangeOnResume, "Whether a resumed run may have another value."),
    Field("meaning", \.summary, "The meaning, in sentences."),
    Field("isBasic", \.advice.isBasic, "Whether it is one of the few keys that most runs set."),
    Field("advice", \.advice.text, "When to change it, in sentences."),
    Field(
      optional: "experiment", \.advice.experiment,
      "The page of the notebook, and its heading, with the experiment; missing without one."),
  ]
}
