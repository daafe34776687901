import Arena
import ArgumentParser
import Basics
import Console
import ModelFiles
import Players

/// How to make a compact model.
struct CompactionOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      .compact: the bits of a weight before compression, 2 to 16 \
      (default: \(CompactionOptions.defaultBits)).
      """, valueName: "bits"),
    transform: compactBits)
  var bits: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      .compact: the error that each weight may add to the values met in a game; 0 keeps all weights \
      (default: \(CompactionOptions.defaultTolerance)).
      """, valueName: "points"),
    transform: points)
  var tolerance: Double?

  @Option(
    parsing: .unconditional,
    help: """
      .compact: the greedy games that tell how often each weight is read \
      (default: \(CompactionOptions.defaultGames)).
      """,
    transform: positiveCount)
  var games: Int?

  @Option(
    parsing: .unconditional, help: ".compact: the seed of these games (default: 1).",
    transform: count)
  var seed: Int?

  static let defaultBits = 12
  static let defaultTolerance = 4.0
  static let defaultGames = 1_000

  /// Refuses options for a file of another format.
  func refuse(for output: String) throws {
    let given = [
      ("--bits", bits != nil), ("--tolerance", tolerance != nil), ("--games", games != nil),
      ("--seed", seed != nil),
    ].first { $0.1 }
    if let (name, _) = given {
      throw Failure(.usage, "\(name) is for .compact files, and \(output) is none; leave it out")
    }
  }

  /// Writes a compact file.
  ///
  /// - Parameter path: the file that the model was read from.
  func write(_ model: LoadedModel, readFrom path: String, to output: String) throws {
    let source =
      try ModelFormat.detect(path) == .safetensors ? WeightFile.readHeader(path).checksum : nil
    try CompactFile.write(
      model.network, metadata: model.metadata, bits: bits ?? CompactionOptions.defaultBits,
      pruning: try pruning(model, path: path), source: source, to: output)
  }

  /// Plays the games that decide what is left out; nil if nothing is.
  private func pruning(_ model: LoadedModel, path: String) throws -> Pruning? {
    let rule = CompactSummary.Pruning(
      tolerance: tolerance ?? CompactionOptions.defaultTolerance,
      games: games ?? CompactionOptions.defaultGames, seed: UInt64(seed ?? 1))
    guard rule.tolerance > 0 else { return nil }
    try Memory.require(model.network.shape.byteCount, for: "counts of reads", path: path)
    let meter = GamesMeter(total: rule.games)
    let console = StandardError.shared
    defer { console.endProgress() }
    let reads = ReadCounts.ofGreedyPlay(
      model.network, games: rule.games, seed: rule.seed, rules: model.rules
    ) { meter.show($0, on: console) }
    return Pruning(reads: reads, rule: rule)
  }
}

/// Reads the bits of a compact weight.
private func compactBits(_ text: String) throws -> Int {
  let bits = try count(text)
  guard CompactFile.bitCounts.contains(bits) else {
    throw ValidationError("a weight takes 2 to 16 bits")
  }
  return bits
}

/// Reads an error in points.
private func points(_ text: String) throws -> Double {
  guard let value = Double(text), value.isFinite, value >= 0 else {
    throw ValidationError("it must be a number of points from 0")
  }
  return value
}
