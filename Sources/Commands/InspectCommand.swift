import ArgumentParser
import Basics
import EndgameTables
import Foundation
import ModelFiles
import Play
import Training

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "List the runs, or describe a weight file, a run directory or endgame tables, and check that they are intact.",
    discussion: """
      Without a name, the command lists the runs under Models/, starting with that of the latest report.

      Every byte is read and checked against the checksums. A .w file has no checksum; its structure and values are \
      checked.

      --card prints a model card in Markdown, with the results of evaluations. Results are only accepted if \
      they were played with the same weights.

        learn2048 inspect
        learn2048 inspect ntuple
        learn2048 inspect Models/default.compact --json
        learn2048 inspect Chains
        learn2048 evaluate ntuple --json | learn2048 inspect ntuple --card --results -
      """)

  @Argument(
    help:
      """
      A run with all its files, a checkpoint (RUN@latest, RUN@EPISODES), a weight file, or a file or directory of \
      endgame tables (default: list all runs).
      """,
    completion: .models)
  var path: String?

  @Flag(help: "Print a model card in Markdown.")
  var card = false

  @Option(
    "file",
    repeatable:
      "Add these results to the card: the output of evaluate --json. Repeatable; - reads standard input."
  )
  var results: [String]

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if !results.isEmpty, !card {
      throw ValidationError(
        "--results has no effect without --card. Add that, or leave out --results.")
    }
    if card, path == nil {
      throw ValidationError("--card describes one model. Name it.")
    }
    if card, output.json {
      throw ValidationError("--card prints Markdown. Leave out --card or --json.")
    }
    if results.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input can be read only once. Leave out one --results -.")
    }
  }

  func run() throws {
    guard let path else { return try listRuns() }
    let tables = try EndgameTable.paths(at: path)
    if !tables.isEmpty { return try inspectTables(tables) }
    let found = try ModelLocator.find(path)
    if card { return try printCard(found) }
    if try ModelFormat.detect(found) == .tdl2048 { return try inspectTDL2048(found) }
    // Reads everything once, and throws unless every byte is as it was written.
    let directory = ModelLocator.directory(path)
    let contents = try directory.map(verify)
    let header = try contents?.weights.first { $0.path == found } ?? WeightFile.verify(found)
    let run = directory.flatMap { directory in
      contents.map { SavedRun(path: directory.path, contents: $0) }
    }
    let model = InspectedModel(header: header, run: run)
    let texts = [run.map { $0.description("\($0.path): intact") }, model.text]
    try output.show(model, text: texts.compactMap(\.self).joined(separator: "\n\n"))
  }

  /// Prints a table of the runs, with the mean score of each one's last games and of its best evaluation.
  private func listRuns() throws {
    let runs = RunSummary.all(ModelLocator.runs)
    let text =
      runs.isEmpty
      ? "\(ModelLocator.models)/ has no runs yet. Start one with learn2048 train --config Configs/quick.json"
      : alignedTable(RunSummary.table(runs)).joined(separator: "\n")
    try output.show(RunList(runs: runs), text: text)
  }

  private func printCard(_ path: String) throws {
    guard try ModelFormat.detect(path) != .tdl2048 else {
      throw Failure(
        .badData,
        "\(path): a .w file says nothing about its training. Make the card of the model that it is from."
      )
    }
    StandardOutput.line(try ModelCard(WeightFile.verify(path), resultsIn: results).markdown)
  }

  /// Checks the files of a run.
  private func verify(_ directory: RunDirectory) throws -> CheckpointDirectory.Contents {
    guard directory.exists else {
      throw LocatedError(
        .missingInput, path: directory.configurationPath, "does not exist",
        remedy: "restore it, or name one of the weight files")
    }
    _ = try directory.configuration()
    return try directory.checkpoints.verify()
  }

  /// Prints a `.w` file, which has no checksum and no history: its structure and values are checked.
  private func inspectTDL2048(_ path: String) throws {
    let file = ImportedFile(path: path, header: try TDL2048File.readHeader(path))
    _ = try TDL2048File.read(path)
    try output.show(file, text: file.description("\(path): a TDL2048+ file, intact"))
  }

  private func inspectTables(_ paths: [String]) throws {
    if card {
      throw Failure(
        .usage, "--card describes a model, and \(path!) has endgame tables. Leave out --card.")
    }
    let tables = try paths.map { path in
      let table = try EndgameTable(path: path)
      try table.verify()
      return table
    }
    try output.show(
      TableList(tables: tables),
      text: tables.map { $0.description("\($0.path): intact") }.joined(separator: "\n\n"))
  }
}
