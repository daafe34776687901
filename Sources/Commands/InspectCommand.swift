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
    // Reads everything once, and throws unless every byte is as it was written.
    let run = try card ? nil : ModelLocator.directory(path).map(verify)
    if let run, let header = run.contents.weights.first(where: { $0.path == found }) {
      return try show(header, of: run)
    }
    let file = try ModelFile(found)
    try file.verify()
    switch file.content {
    case .safetensors(_, let header) where card:
      StandardOutput.line(try ModelCard(header, resultsIn: results).markdown)
    case .safetensors(_, let header): try show(header, of: run)
    case .tdl2048 where card:
      throw Failure(
        .badData,
        "\(found): a .w file says nothing about its training. Make the card of the model that it is from."
      )
    case .tdl2048(_, let header, _):
      let file = ImportedFile(path: found, header: header)
      try output.show(file, text: file.description("\(found): a TDL2048+ file, intact"))
    }
  }

  private func show(_ header: WeightFile.Header, of run: SavedRun?) throws {
    let model = InspectedModel(header: header, run: run)
    let texts = [run.map { $0.description("\($0.path): intact") }, model.text]
    try output.show(model, text: texts.compactMap(\.self).joined(separator: "\n\n"))
  }

  /// Prints a table of the runs, with the mean score of each one's last games and of its best evaluation.
  private func listRuns() throws {
    let runs = RunSummary.all(ModelLocator.runs)
    let text =
      runs.isEmpty
      ? "\(ModelLocator.models)/ has no runs yet. Start one with learn2048 train --config quick"
      : alignedTable(RunSummary.table(runs)).joined(separator: "\n")
    try output.show(RunList(runs: runs), text: text)
  }

  /// Checks the files of a run.
  private func verify(_ directory: RunDirectory) throws -> SavedRun {
    guard directory.exists else {
      throw LocatedError(
        .missingInput, path: directory.configurationPath, "does not exist",
        remedy: "restore it, or name one of the weight files")
    }
    _ = try directory.configuration()
    return SavedRun(path: directory.path, contents: try directory.checkpoints.verify())
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
