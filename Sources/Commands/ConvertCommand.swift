import ArgumentParser
import Basics
import Foundation
import ModelFiles
import NTupleNetwork
import Play

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert between weight-file formats.",
    discussion: """
      The extension of OUTPUT selects the format: .safetensors is the format of this program, .w is that \
      of TDL2048+, and .compact is a small file for play, with quantised weights and without weights that \
      play does not need. A .w file holds weights only; the history of their training is lost.
      """)

  @Argument(
    help: "The model to convert: a run, a checkpoint or a weight file.", completion: .models)
  var input: String

  @Argument(
    help: "The file to write, which ends in .safetensors, .w or .compact.", completion: .file())
  var output: String

  @Flag(
    help: """
      Remove patterns that lie within larger ones and add their weights to those, for the same values \
      with fewer look-ups. Use it when training is finished.
      """)
  var fold = false

  @Option(
    "bits", ".compact: Number of bits per weight before compression, 2 to 16 (default: 12).",
    read: compactBits)
  var bits: Int?

  @Option(
    "points",
    """
    .compact: Error that a removed weight may add to the values of a game, in points; 0 keeps all \
    weights (default: 4.0).
    """,
    read: number("Use a number of points of at least 0.") { $0 >= 0 })
  var tolerance: Double?

  @Option(
    "n",
    ".compact: Number of greedy games that count how often each weight is read (default: 1000).",
    read: positiveCount)
  var games: Int?

  @Option("n", ".compact: Seed of these games (default: 1).", read: count)
  var seed: Int?

  @Option(
    "n",
    """
    Number of greedy games in each of three rounds that calibrate the level offsets of a network with \
    network.downgradeTile; 0 leaves the offsets as they are (default: 1000 if it has none).
    """,
    read: count)
  var levelGames: Int?

  @OptionGroup var color: ColorOptions

  func run() throws {
    try requireFree(output)
    let format = URL(fileURLWithPath: output).pathExtension
    guard ["safetensors", "w", "compact"].contains(format) else {
      throw Failure(
        .usage,
        "'\(output)' is not a known format. The name must end in .safetensors, .w or .compact.")
    }
    if format != "compact",
      let name = firstGiven([
        "--bits": bits, "--tolerance": tolerance, "--games": games, "--seed": seed,
      ])
    {
      throw Failure(
        .usage, "\(name) is for .compact files, which \(output) is not. Leave it out.")
    }
    var (file, model) = try ModelLocator.reading(input) { path in
      let file = try ModelFile(path)
      return (file, try file.load())
    }
    let path = file.path
    if file.hasFurtherTables {
      StandardError.shared.line(
        "\(path): only the weights are converted, not the tables beside them.")
    }
    if fold {
      guard model.network.shape.stages.count == 1 else {
        throw LocatedError(
          .unsuitableData, path: path, place: "stages",
          "weights that a stage has not learned cannot be folded",
          remedy: "convert it without --fold")
      }
      try Memory.require(model.network.shape.byteCount, for: "the folded network", path: path)
      model.network = model.network.folded()
    }
    if format != "w" {
      try calibrate(model, path: path)
    } else if levelGames != nil {
      throw Failure(.usage, "--level-games: a .w file has no level offsets. Leave it out.")
    }
    var result = "\(NumberText.grouped(model.network.shape.entryCount)) weights"
    switch format {
    case "w": try TDL2048File.write(model.network, to: output)
    case "compact":
      let written = try writeCompact(model, of: file)
      result = "\(NumberText.grouped(written.keptCount)) of \(result) kept, of \(written.bits) bits"
    default: try WeightFile.write(model.network, metadata: model.metadata, to: output)
    }
    StandardError.shared.line(
      "wrote \(output): \(byteText(try InputFile(path: output).byteCount)), \(result)")
  }

  /// Plays the games that show how far the values of a network jump between levels, and makes up for it.
  private func calibrate(_ model: LoadedModel, path: String) throws {
    let network = model.network
    guard network.shape.downgrading != .none else {
      if levelGames ?? 0 > 0 {
        throw Failure(.usage, "--level-games: \(path) has no levels. Leave it out.")
      }
      return
    }
    let games = levelGames ?? (network.levelOffsets == .none ? 1_000 : 0)
    guard games > 0 else { return }
    network.levelOffsets = playGames(
      LevelGames.calibrationRounds * games, "to calibrate the level offsets"
    ) {
      LevelGames.calibratedOffsets(
        of: network, rules: model.rules, games: games, threads: coreCount, progress: $0)
    }
  }

  /// Plays games, and shows why and how far.
  private func playGames<Result>(
    _ games: Int, _ reason: String,
    _ play: (_ progress: @escaping @Sendable (Int) -> Void) -> Result
  ) -> Result {
    let meter = GamesMeter(total: games)
    let console = StandardError.shared
    console.line("playing \(NumberText.grouped(games)) greedy games \(reason)")
    defer { console.endProgress() }
    return play { meter.show($0, on: console) }
  }

  /// Writes a compact file, and returns a summary of its content.
  private func writeCompact(
    _ model: LoadedModel, of file: ModelFile
  ) throws -> CompactSummary {
    try CompactFile.write(
      model.network, metadata: model.metadata, bits: bits ?? 12,
      pruning: try pruning(model, path: file.path), source: file.statedChecksum,
      to: output)
    return try WeightFile.readHeader(output).compact!
  }

  /// Plays the games that determine which weights are removed; returns nil if all are kept.
  private func pruning(_ model: LoadedModel, path: String) throws -> Pruning? {
    let rule = CompactSummary.Pruning(
      tolerance: tolerance ?? 4, games: games ?? 1_000, seed: UInt64(seed ?? 1))
    guard rule.tolerance > 0 else { return nil }
    try Memory.require(model.network.shape.byteCount, for: "counts of reads", path: path)
    let reads = playGames(rule.games, "to count how often each weight is read") { progress in
      model.network.readCounts(
        greedyGames: rule.games, seed: rule.seed, rules: model.rules, progress: progress)
    }
    return Pruning(reads: reads, rule: rule)
  }
}

private func compactBits(_ text: String) throws -> Int {
  let bits = try count(text)
  guard CompactFile.bitCounts.contains(bits) else { throw ValidationError("Use 2 to 16 bits.") }
  return bits
}
