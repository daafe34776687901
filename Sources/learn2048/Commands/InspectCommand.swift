import ArgumentParser
import Basics
import Checkpoints
import Console
import Foundation
import ModelFiles
import NTupleNetwork
import Players

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Describe a weight file or run directory, and check that it is intact.",
    discussion: """
      Every byte is read and checked against the checksums of the file. A .w file has no checksum; its \
      structure and values are checked.

        learn2048 inspect ntuple
        learn2048 inspect Models/default.compact --json
      """)

  @Argument(
    help: "A run with all its files, a checkpoint (RUN@latest, RUN@EPISODES), or a weight file.")
  var path: String

  @OptionGroup var output: OutputOptions

  func run() throws {
    let found = try ModelLocator.find(path)
    if try ModelFormat.detect(found) == .tdl2048 { return try inspectTDL2048(found) }
    // Reads everything once, and throws unless every byte is as it was written.
    let directory = ModelLocator.directory(path)
    let contents = try directory.map(verify)
    let header = try contents?.weights.first { $0.path == found } ?? WeightFile.verify(found)
    let run = contents.map { RunContents($0, path: directory?.path ?? path) }
    let document = Document(header, run: run)
    if output.json {
      try StandardOutput.json(document)
    } else {
      StandardOutput.line(document.text)
    }
  }
}

extension InspectCommand {
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
    if output.json {
      let document: JSONValue = .object([
        "path": .string(path), "format": .string("TDL2048+"), "bytes": .integer(header.byteCount),
        "patterns": .array(patterns.map { .string($0) }),
        "weights": .integer(header.shape.entryCount),
        "hasFurtherTables": .bool(header.hasFurtherTables),
      ])
      StandardOutput.line(document.text)
    } else {
      StandardOutput.line(
        """
        \(path): a TDL2048+ file, intact
        size      \(byteText(header.byteCount)), \(NumberText.grouped(header.shape.entryCount)) weights
        network   \(patterns.joined(separator: " "))
        """)
      if header.hasFurtherTables {
        StandardOutput.line(
          "besides   further tables, for example of temporal coherence, which are not read")
      }
    }
  }
}

/// The description of a run.
private struct RunContents: Encodable {
  struct Weights: Encodable {
    let file: String
    let episodes: Int
    let bytes: Int
    let checksum: String
    /// Whether these are the best weights by evaluation, and whether a resumed run starts from them.
    let isBest: Bool
    let isLatest: Bool
  }

  let path: String
  /// The episodes of the saved state, and the length of its file in bytes; nil without a saved state.
  let episodes: Int?
  let stateBytes: Int?
  let bestMeanScore: Double?
  let weights: [Weights]

  init(_ contents: CheckpointDirectory.Contents, path: String) {
    self.path = path
    episodes = contents.state?.episodes
    stateBytes = contents.state?.byteCount
    bestMeanScore = contents.best?.meanScore
    weights = contents.weights.map { header in
      let name = URL(fileURLWithPath: header.path).lastPathComponent
      return Weights(
        file: name, episodes: header.metadata.episodes, bytes: header.byteCount,
        checksum: header.checksum, isBest: name == contents.best?.file,
        isLatest: name == contents.state?.weightsFile)
    }
  }

  var text: String {
    let state =
      episodes.map {
        "after \(NumberText.grouped($0)) episodes, \(byteText(stateBytes ?? 0)), can be resumed"
      } ?? "none; a resumed run would start from scratch"
    let lines = weights.map { weights in
      let best = bestMeanScore.map { ", the best: \(NumberText.grouped($0)) points" } ?? ""
      return "\(weights.file), \(byteText(weights.bytes))"
        + (weights.isLatest ? ", the latest" : "") + (weights.isBest ? best : "")
    }
    return """
      \(path): intact
      state     \(state)
      weights   \(lines.joined(separator: "\n          "))

      """
  }
}

/// The description of a weight file, and of the run whose best checkpoint it is.
private struct Document: Encodable {
  /// The stages of the game with separate weights.
  struct Stages: Encodable {
    let count: Int
    let rule: String
    let tiles: [Int]

    init?(_ rule: StageRule) {
      guard rule.count > 1 else { return nil }
      count = rule.count
      self.rule = rule.kind.rawValue
      tiles = rule.exponents.map { 1 << $0 }
    }
  }

  let run: RunContents?
  let path: String
  let isWhole = true
  let checksum: String
  let bytes: Int
  let boardSize: Int
  let stages: Stages?
  let downgradeTile: Int?
  let patterns: [String]
  let weights: Int
  let compact: CompactSummary?
  let kept: Int?
  let episodes: Int
  let moves: Int
  let seed: UInt64
  let version: String
  let history: [TrainingSegment]
  let config: JSONValue?

  init(_ header: WeightFile.Header, run: RunContents?) {
    self.run = run
    path = header.path
    checksum = header.checksum
    bytes = header.byteCount
    boardSize = header.shape.boardSize
    stages = Stages(header.shape.stages)
    downgradeTile = header.shape.downgrading.exponent.map { 1 << $0 }
    patterns = header.shape.patterns.map(\.description)
    weights = header.shape.entryCount
    compact = header.compact
    kept = header.compact?.keptCount
    episodes = header.metadata.episodes
    moves = header.metadata.moves
    seed = header.metadata.seed
    version = header.metadata.version
    history = header.metadata.history
    config = try? JSONParser.parse(Array(header.metadata.config.utf8))
  }

  /// The lines about the weights of a compact file.
  private var compactText: String {
    guard let compact, let kept else { return "" }
    var text = "\ncompact   \(NumberText.grouped(kept)) weights kept, of \(compact.bits) bits"
    if let pruning = compact.pruning {
      text +=
        "\npruned    tolerance \(pruning.tolerance) points, reads of "
        + "\(NumberText.grouped(pruning.games)) greedy games, seed \(pruning.seed)"
    }
    if let source = compact.source { text += "\nmade from \(source)" }
    return text
  }

  private var stagesText: String {
    stages.map {
      " in \($0.count) stages by \($0.rule): \($0.tiles.map(String.init).joined(separator: " "))"
    } ?? ""
  }

  private var downgradingText: String {
    downgradeTile.map { ", downgraded from \($0) on" } ?? ""
  }

  var text: String {
    let seconds = history.reduce(0) { $0 + $1.wallSeconds }
    return """
      \(run.map { "\($0.text)\n" } ?? "")\(path): intact
      checksum  \(checksum)
      size      \(byteText(bytes)), \(NumberText.grouped(weights)) weights\(compactText)
      network   \(patterns.joined(separator: " ")) on \(boardSize)x\(boardSize)\(stagesText)\(downgradingText)
      trained   \(NumberText.grouped(episodes)) episodes, \(NumberText.grouped(moves)) moves, \
      \(NumberText.duration(seconds)), seed \(seed), version \(version)
      """
  }
}
