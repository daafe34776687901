import ArgumentParser
import Basics
import Experiments
import Foundation
import Play
import Training
import WebInterface

/// A hidden command for developers, which writes Docs/Reference.
struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract: "Write the reference pages of the documentation.",
    discussion: """
        learn2048 reference Docs/Reference
      """,
    shouldDisplay: false)

  @Argument(help: "The directory to write to.")
  var directory: String

  func run() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let pages = [
      "Commands.md": ReferenceCommand.commands, "Configuration.md": ConfigurationKey.referencePage,
      "ExitCodes.md": ExitStatus.referencePage, "HTTP.md": Endpoint.referencePage,
      "Limits.md": InputLimit.referencePage, "Metrics.md": TrainingReport.referencePage,
      "Players.md": PlayerOption.referencePage, "SweepPlan.md": SweepPlanKey.referencePage,
      "configuration.schema.json": ConfigurationKey.schemaText + "\n",
      "documents.schema.json": ReferenceCommand.documentSchemas.indentedText + "\n",
      "learn2048.1": ReferenceCommand.manual,
      "openapi.json": Endpoint.openAPIText + "\n",
      "sweep.schema.json": SweepPlanKey.schemaText + "\n",
    ]
    for (name, text) in pages { try writeAtomically(text.utf8, to: "\(directory)/\(name)") }
  }
}

// MARK: Documents

extension ReferenceCommand {
  /// A JSON document of a command, with a summary.
  private typealias DocumentEntry = (
    command: String, summary: String, type: any DocumentValue.Type
  )

  private static let documents: [DocumentEntry] = [
    ("evaluate", "One object.", ArenaReport.self),
    (
      "analyze",
      """
      One object for a single board, otherwise an array of objects; from standard input, with an element per \
      line. An invalid board has only `board` and `error`.
      """, BoardAnalysis.self
    ),
    ("review", "One object.", ReviewedGame.self),
    ("inspect", "Without a name: one object for all runs.", RunList.self),
    (
      "inspect TABLES", "One object for a table, or for all tables of a directory.", TableList.self
    ),
    ("inspect NAME", "One object for a weight file or a run.", InspectedModel.self),
    ("inspect FILE.w", "One object for a `.w` file of TDL2048+.", ImportedFile.self),
    (
      "bench", "One object. `bench signature --json` prints an object with `signature` instead.",
      BenchmarkReport.self
    ),
    ("bench regret", "One object.", RegretReport.self),
    ("bench levels", "One object.", LevelReport.self),
    ("bench ranks", "One object.", ExchangeReport.self),
    ("train --dry-run", "One object.", RunPlan.self),
    ("config", "An array with an object per key.", [ConfigurationKey].self),
    ("sweep", "One object. `results.jsonl` has the rows, one per line.", SweepReport.self),
  ]

  private static var documentSchemas: JSONValue {
    let schemas = documents.map { ($0.command, JSONValue.object($0.type.schema)) }
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "Documents of learn2048 COMMAND --json, by command",
      "$defs": .object(Dictionary(uniqueKeysWithValues: schemas)),
    ]
  }

  private static var documentSections: String {
    documents.map { command, summary, type in
      "### \(command) --json\n\n\(summary)\n\n\(type.placeTable)"
    }.joined(separator: "\n\n")
  }
}

// MARK: The page of commands

extension ReferenceCommand {
  private static var commands: String {
    let helps = helps(of: Learn2048.self, path: [])
    let shared = sharedOptions(helps)
    let blocks = shared.map { group, options in
      "\(group):\n\n```text\n\(options.joined(separator: "\n"))\n```"
    }
    return """
      # Commands

      Every command of `learn2048` with its options, as `--help` prints it, and the JSON documents of
      `--json`. What several commands share is [listed once](#shared-options), and every command has `--help`. Generated
      by `learn2048 reference`; do not edit.

      Counts can be written as `1e6`, `250_000` or `2.5e4`. Data goes to standard output, messages and
      progress to standard error. [ExitCodes.md](ExitCodes.md) lists the exit codes, and
      [Players.md](Players.md) the options of a PLAYER.

      \(helps.map { $0.section(without: shared.flatMap(\.options)) }.joined(separator: "\n\n"))

      ## Shared options

      \(blocks.joined(separator: "\n\n"))

      ## JSON documents

      `--json` prints one document on one line. `train --json` prints one object per report instead;
      [Metrics.md](Metrics.md) lists its keys. [documents.schema.json](documents.schema.json) has the JSON Schema of
      each document.

      \(documentSections)

      """
  }

  /// Returns the options of more than two commands, those of the subcommands of one command apart.
  private static func sharedOptions(
    _ helps: [CommandHelp]
  ) -> [(group: String, options: [String])] {
    var groups: [(group: String, options: [String])] = []
    for option in helps.flatMap(\.options)
    where !groups.contains(where: { $0.options.contains(option) }) {
      let owners = helps.filter { $0.options.contains(option) }.map { $0.path.dropFirst().first }
      guard owners.count > 2 else { continue }
      let group = Set(owners).count == 1 ? "Of `\(owners[0] ?? "")`" : "Of several commands"
      if let place = groups.firstIndex(where: { $0.group == group }) {
        groups[place].options.append(option)
      } else {
        groups.append((group, [option]))
      }
    }
    return groups
  }

  private static func helps(
    of command: any ParsableCommand.Type, path: [String]
  ) -> [CommandHelp] {
    guard command.configuration.shouldDisplay else { return [] }
    let path = path + [command._commandName]
    return [CommandHelp(command, path: path)]
      + command.configuration.subcommands.flatMap { helps(of: $0, path: path) }
  }
}

/// The help of a command, with its options apart.
private struct CommandHelp {
  let path: [String]
  /// The text before the options, and that behind them.
  let head: String
  let tail: String
  let options: [String]

  init(_ command: any ParsableCommand.Type, path: [String]) {
    let help = Learn2048.helpMessage(for: command, columns: 100)
      .trimmingCharacters(in: .newlines).replacing(#/ +\n/#, with: "\n")
    let parts = help.split(separator: "OPTIONS:\n", maxSplits: 1)
    let rest = parts[1].split(separator: "\n\n", maxSplits: 1)
    self.path = path
    head = parts[0].trimmingCharacters(in: .newlines)
    tail = rest.count > 1 ? String(rest[1]) : ""
    // Further lines about an option are indented more than its name.
    options = rest[0].split(separator: "\n").reduce(into: []) { options, line in
      if line.hasPrefix("   ") {
        options[options.count - 1] += "\n" + line
      } else {
        options.append(String(line))
      }
    }
  }

  /// Returns the section of the command, with only the names of the options that others have, too.
  func section(without shared: [String]) -> String {
    let own = options.filter { !shared.contains($0) }
    let names = options.filter(shared.contains).compactMap { option in
      option.split { " ,\n".contains($0) }.first { $0.hasPrefix("--") }
    }.filter { !["--help", "--version"].contains($0) }
    let list = own.isEmpty ? "" : (["OPTIONS:"] + own).joined(separator: "\n")
    let help = [head, list, tail].filter { !$0.isEmpty }.joined(separator: "\n\n")
    let reference =
      names.isEmpty ? "" : "\n\nShared: " + names.map { "`\($0)`" }.joined(separator: ", ") + "."
    return """
      ## \(path.joined(separator: " "))

      ```text
      \(help)
      ```\(reference)
      """
  }
}

// MARK: The manual

extension ReferenceCommand {
  /// The man page, in the macros of man(7).
  static var manual: String {
    guard let program = Learn2048.description else { return "" }
    let codes = ExitStatus.all.flatMap { status in
      [".TP", ".B \(status.code)", roff("\(status.name): \(status.meaning)")]
    }
    let lines =
      [
        #".\" Generated by `learn2048 reference`; do not edit."#,
        #".TH LEARN2048 1 "" learn2048 "User Commands""#, ".SH NAME",
        roff("learn2048 - \(program["abstract"]?.string ?? "")"), ".SH SYNOPSIS",
        #".B learn2048"#, #".I command"#, #"[\fIoption\fR ...]"#, ".SH DESCRIPTION",
      ] + paragraphs(program["discussion"]?.string ?? "") + [
        ".PP",
        roff(
          "Data goes to standard output, messages and progress to standard error. Counts can be written as "
            + "1e6, 250_000 or 2.5e4."),
        ".SH COMMANDS",
      ] + shownCommands(of: program).flatMap { section(of: $0, path: [program.name]) }
      + [".SH EXIT STATUS"] + codes
    return lines.joined(separator: "\n") + "\n"
  }

  private static func shownCommands(of command: JSONValue) -> [JSONValue] {
    (command["subcommands"]?.array ?? []).filter {
      $0["shouldDisplay"] != .bool(false) && $0.name != "help"
    }
  }

  private static func section(of command: JSONValue, path: [String]) -> [String] {
    let path = path + [command.name]
    let arguments = (command["arguments"]?.array ?? []).filter {
      $0["shouldDisplay"] != .bool(false) && !["--help", "--version"].contains($0.spellings.last)
    }
    let discussion = paragraphs(command["discussion"]?.string ?? "")
    return [".SS \(roff(path.joined(separator: " ")))", roff(command["abstract"]?.string ?? "")]
      + (discussion.isEmpty ? [] : [".PP"] + discussion) + arguments.flatMap(item)
      + shownCommands(of: command).flatMap { section(of: $0, path: path) }
  }

  private static func item(of argument: JSONValue) -> [String] {
    let value = argument["valueName"]?.string ?? ""
    let names = argument.spellings.map { #"\fB\#(roff($0))\fR"# }.joined(separator: ", ")
    let head =
      switch argument["kind"]?.string {
      case "positional": #"\fI\#(roff(value))\fR"#
      case "flag": names
      default: #"\#(names) \fI\#(roff(value))\fR"#
      }
    return [".TP", head, roff(argument["abstract"]?.string ?? "")]
  }

  /// The lines of a text, whose indented lines are examples.
  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var isExample = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isNextExample = line.hasPrefix("  ")
      if isNextExample != isExample { lines.append(isNextExample ? ".EX" : ".EE") }
      isExample = isNextExample
      lines.append(line.isEmpty ? ".PP" : roff(String(line)))
    }
    if isExample { lines.append(".EE") }
    // Of several empty lines in a row, one counts.
    return lines.enumerated().filter { place, line in
      line != ".PP" || place + 1 < lines.count && lines[place + 1] != ".PP"
    }.map(\.element)
  }

  /// Returns text as it is written in a page.
  private static func roff(_ text: String) -> String {
    let escaped = text.replacing("\\", with: #"\e"#).replacing("-", with: #"\-"#)
    // A line that starts with a dot or an apostrophe would be a macro.
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? #"\&"# + escaped : escaped
  }
}
