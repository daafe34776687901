import ArgumentParser
import Basics
import EndgameTables
import Foundation
import ModelFiles
import NTupleNetwork
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
    let tables = EndgameTable.paths(at: path)
    if !tables.isEmpty { return try inspectTables(tables) }
    let found = try ModelLocator.find(path)
    if card { return try printCard(found) }
    if try ModelFormat.detect(found) == .tdl2048 { return try inspectTDL2048(found) }
    // Reads everything once, and throws unless every byte is as it was written.
    let directory = ModelLocator.directory(path)
    let contents = try directory.map(verify)
    let header = try contents?.weights.first { $0.path == found } ?? WeightFile.verify(found)
    var document = try document(of: header)
    var text = text(of: header)
    if let directory, let contents {
      document["run"] = self.document(of: contents, in: directory)
      text = self.text(of: contents, in: directory) + "\n\n" + text
    }
    try output.show(document, text: text)
  }

  /// Prints a table of the runs, with the mean score of each one's last games and of its best evaluation.
  private func listRuns() throws {
    let runs = RunSummary.all(ModelLocator.runs)
    let rows = runs.map { run in
      let last = run.last
      return [
        run.name, last.map { NumberText.grouped($0.episodes) } ?? "-",
        last.map { NumberText.duration($0.wallSeconds) } ?? "-",
        last.map { $0.games == 0 ? "-" : NumberText.grouped($0.meanScore) } ?? "-",
        run.bestMeanScore.map { NumberText.grouped($0) } ?? "-",
        run.isTraining ? run.secondsLeft.map(NumberText.duration) ?? "?" : "-",
      ]
    }
    let head = ["run", "episodes", "time", "while training", "best evaluation", "left"]
    let text =
      runs.isEmpty
      ? "\(ModelLocator.models)/ has no runs yet. Start one with learn2048 train --config Configs/quick.json"
      : alignedTable([head] + rows).joined(separator: "\n")
    try output.show(["runs": runs], text: text)
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
    let header = try TDL2048File.readHeader(path)
    _ = try TDL2048File.read(path)
    let patterns = header.shape.patterns.map(\.description)
    let document: [String: JSONValue] = [
      "path": .string(path), "format": .string("TDL2048+"), "bytes": .integer(header.byteCount),
      "patterns": .array(patterns.map { .string($0) }),
      "weights": .integer(header.shape.entryCount),
      "hasFurtherTables": .bool(header.hasFurtherTables),
    ]
    let tables = "further tables, for example of temporal coherence, which are not read"
    try output.show(
      document,
      text: lines(
        "\(path): a TDL2048+ file, intact",
        [
          "size": sizeText(header.byteCount, header.shape),
          "network": patterns.joined(separator: " "),
          "besides": header.hasFurtherTables ? tables : nil,
        ]))
  }

  private func inspectTables(_ paths: [String]) throws {
    if card {
      throw Failure(
        .usage, "--card describes a model, and \(path!) has endgame tables. Leave out --card.")
    }
    var documents: [JSONValue] = []
    var texts: [String] = []
    for path in paths {
      let table = try EndgameTable(path: path)
      try table.verify()
      let shape = table.shape
      let (locked, goal) = (CellSet(shape.locked).description, 1 << shape.goal)
      documents.append([
        "path": .string(path), "locked": .string(locked), "goal": .integer(goal),
        "target": .string(shape.target.rawValue), "largestSum": .integer(shape.largestSum),
        "fourProbability": .number(shape.fourProbability),
        "probabilities": .integer(table.entryCount), "bytes": .integer(table.byteCount),
      ])
      let target = shape.target == .chain ? "a chain that merges into \(goal)" : "a \(goal)"
      texts.append(
        lines(
          "\(path): intact",
          [
            "size":
              "\(byteText(table.byteCount)), \(NumberText.grouped(table.entryCount)) probabilities",
            "locked": locked, "goal": target,
            "sum": "up to \(NumberText.grouped(shape.largestSum)) on free cells",
            "spawns": "a 4 with probability \(shape.fourProbability), else a 2",
          ]))
    }
    try output.show(["tables": JSONValue.array(documents)], text: texts.joined(separator: "\n\n"))
  }

  // MARK: Runs

  private func document(
    of contents: CheckpointDirectory.Contents, in directory: RunDirectory
  ) -> JSONValue {
    var document: [String: JSONValue] = ["path": .string(directory.path)]
    document["episodes"] = contents.state.map { .integer($0.episodes) }
    document["stateBytes"] = contents.state.map { .integer($0.byteCount) }
    document["bestMeanScore"] = contents.best.map { .number($0.meanScore) }
    document["weights"] = .array(
      contents.weights.map { header in
        .object([
          "file": .string(header.name), "episodes": .integer(header.metadata.episodes),
          "bytes": .integer(header.byteCount), "checksum": .string(header.checksum),
          "isBest": .bool(header.name == contents.best?.file),
          "isLatest": .bool(header.name == contents.state?.weightsFile),
        ])
      })
    return .object(document)
  }

  private func text(
    of contents: CheckpointDirectory.Contents, in directory: RunDirectory
  ) -> String {
    let state = contents.state.map {
      "after \(NumberText.count($0.episodes, "episode")), \(byteText($0.byteCount)), can be resumed"
    }
    let weights = contents.weights.map { header in
      let isLatest = header.name == contents.state?.weightsFile
      let best = contents.best.flatMap { header.name == $0.file ? $0.meanScore : nil }
      return "\(header.name), \(byteText(header.byteCount))" + (isLatest ? ", the latest" : "")
        + (best.map { ", the best: \(NumberText.grouped($0)) points" } ?? "")
    }
    return lines(
      "\(directory.path): intact",
      [
        "state": state ?? "none; a resumed run would start from scratch",
        "weights": weights.joined(separator: "\n          "),
      ])
  }

  // MARK: Weight files

  private func document(of header: WeightFile.Header) throws -> [String: JSONValue] {
    let (shape, metadata) = (header.shape, header.metadata)
    var document: [String: JSONValue] = [
      "path": .string(header.path), "isWhole": .bool(true), "checksum": .string(header.checksum),
      "bytes": .integer(header.byteCount), "boardSize": .integer(shape.boardSize),
      "fourProbability": .number(metadata.fourProbability),
      "patterns": .array(shape.patterns.map { .string($0.description) }),
      "weights": .integer(shape.entryCount), "episodes": .integer(metadata.episodes),
      "moves": .integer(metadata.moves), "seed": try JSONValue(encoding: metadata.seed),
      "version": .string(metadata.version), "history": try JSONValue(encoding: metadata.history),
    ]
    if shape.stages.count > 1 {
      document["stages"] = .object([
        "count": .integer(shape.stages.count), "rule": "largestTile",
        "tiles": .array(shape.stages.exponents.map { .integer(1 << $0) }),
      ])
    }
    document["downgradeTile"] = shape.downgrading.tile.map { .integer($0) }
    document["compact"] = try header.compact.map { try JSONValue(encoding: $0) }
    document["kept"] = header.compact.map { .integer($0.keptCount) }
    document["config"] = try? JSONParser.parse(Array(metadata.config.utf8))
    return document
  }

  private func text(of header: WeightFile.Header) -> String {
    let (shape, metadata) = (header.shape, header.metadata)
    let seconds = metadata.history.reduce(0) { $0 + $1.wallSeconds }
    return lines(
      "\(header.path): intact",
      [
        "checksum": header.checksum,
        "size": sizeText(header.byteCount, shape),
        "compact": header.compact.map {
          "\(NumberText.grouped($0.keptCount)) weights kept, of \($0.bits) bits"
        },
        "pruned": header.compact?.pruning?.text,
        "made from": header.compact?.source,
        "network": header.networkText,
        "spawns": "a 4 with probability \(metadata.fourProbability), else a 2",
        "trained": """
        \(NumberText.count(metadata.episodes, "episode")), \(NumberText.count(metadata.moves, "move")), \
        \(NumberText.duration(seconds)), seed \(metadata.seed), version \(metadata.version)
        """,
      ])
  }

  private func sizeText(_ bytes: Int, _ shape: NetworkShape) -> String {
    "\(byteText(bytes)), \(NumberText.grouped(shape.entryCount)) weights"
  }

  /// Returns a heading, and a line for each field that has a value.
  private func lines(_ heading: String, _ fields: KeyValuePairs<String, String?>) -> String {
    let lines = fields.compactMap { name, value in
      value.map { name.padded(to: 10) + $0 }
    }
    return ([heading] + lines).joined(separator: "\n")
  }
}

extension CompactSummary.Pruning {
  var text: String {
    "tolerance \(tolerance) points, reads of \(NumberText.grouped(games)) greedy games, seed \(seed)"
  }
}

extension WeightFile.Header {
  /// The name of the file.
  fileprivate var name: String { URL(fileURLWithPath: path).lastPathComponent }

  /// The patterns of the network, its stages and its downgrading.
  var networkText: String {
    var network = shape.patterns.map(\.description).joined(separator: " ")
    network += " on \(shape.boardSize)x\(shape.boardSize)"
    if shape.stages.count > 1 {
      let tiles = shape.stages.exponents.map { "\(1 << $0)" }.joined(separator: " ")
      network += " in \(shape.stages.count) stages by largestTile: \(tiles)"
    }
    if let tile = shape.downgrading.tile { network += ", downgraded from \(tile) on" }
    return network
  }
}
