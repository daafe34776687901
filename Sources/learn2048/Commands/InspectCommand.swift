import ArgumentParser
import Console
import Foundation
import ModelFiles
import NTupleNetwork
import Training

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what a weight file or a run directory holds, and whether it is whole.")

  @Argument(help: "A run, DIR@latest, DIR@EPISODES, or a weight file.")
  var path: String

  @OptionGroup var output: OutputOptions

  func run() throws {
    let found = try ModelLocator.find(path)
    if try ModelFormat.detect(found) == .tdl2048 { return try inspectTDL2048(found) }
    // Reads everything, and throws unless every byte is as it was written.
    let document = Document(try WeightFile.verify(found))
    if output.json {
      try StandardOutput.json(document)
    } else {
      StandardOutput.line(document.text)
    }
  }
}

extension InspectCommand {
  /// A `.w` file has no checksum and no history: what can be checked is its structure and values.
  private func inspectTDL2048(_ path: String) throws {
    let header = try TDL2048File.readHeader(path)
    _ = try TDL2048File.read(path)
    let patterns = header.shape.patterns.map(\.description)
    if output.json {
      let document: JSONValue = .object([
        "path": .string(path), "format": .string("TDL2048+"), "bytes": .integer(header.byteCount),
        "patterns": .array(patterns.map { .string($0) }),
        "weights": .integer(header.shape.entryCount),
      ])
      StandardOutput.line(document.text)
    } else {
      StandardOutput.line(
        """
        \(path): a TDL2048+ file, readable to its end
        size      \(byteText(header.byteCount)), \(NumberText.grouped(header.shape.entryCount)) weights
        network   \(patterns.joined(separator: " "))
        """)
    }
  }
}

/// What `inspect` prints of a weight file.
private struct Document: Encodable {
  let path: String
  let isWhole = true
  let checksum: String
  let bytes: Int
  let boardSize: Int
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

  init(_ header: WeightFile.Header) {
    path = header.path
    checksum = header.checksum
    bytes = header.byteCount
    boardSize = header.shape.boardSize
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
    config = try? JSONDecoder().decode(JSONValue.self, from: Data(header.metadata.config.utf8))
  }

  /// What a compact file has of the weights, a line for each thing.
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

  private var downgradingText: String {
    downgradeTile.map { ", which reads large tiles as smaller ones from \($0) on" } ?? ""
  }

  var text: String {
    let seconds = history.reduce(0) { $0 + $1.wallSeconds }
    return """
      \(path): whole
      checksum  \(checksum)
      size      \(byteText(bytes)), \(NumberText.grouped(weights)) weights\(compactText)
      network   \(patterns.joined(separator: " ")) on \(boardSize)x\(boardSize)\(downgradingText)
      trained   \(NumberText.grouped(episodes)) episodes, \(NumberText.grouped(moves)) moves, \
      \(NumberText.duration(seconds)), seed \(seed), version \(version)
      """
  }
}
