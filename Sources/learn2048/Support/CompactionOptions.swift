import Arena
import ArgumentParser
import Basics
import Console
import ModelFiles
import Players

/// The options of compact models.
struct CompactionOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      .compact: Number of bits per weight before compression, 2 to 16 \
      (default: \(CompactionOptions.defaultBits)).
      """, valueName: "bits"),
    transform: compactBits)
  var bits: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      .compact: Error that a removed weight may add to the values of a game, in points; 0 keeps all \
      weights (default: \(CompactionOptions.defaultTolerance)).
      """, valueName: "points"),
    transform: points)
  var tolerance: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      .compact: Number of greedy games that count how often each weight is read \
      (default: \(CompactionOptions.defaultGames)).
      """, valueName: "n"),
    transform: positiveCount)
  var games: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(".compact: Seed of these games (default: 1).", valueName: "n"),
    transform: count)
  var seed: Int?

  static let defaultBits = 12
  static let defaultTolerance = 4.0
  static let defaultGames = 1_000

  /// Throws if options are given for a file of another format.
  func refuse(for output: String) throws {
    let given = [
      ("--bits", bits != nil), ("--tolerance", tolerance != nil), ("--games", games != nil),
      ("--seed", seed != nil),
    ].first { $0.1 }
    if let (name, _) = given {
      throw Failure(
        .usage, "\(name) is for .compact files, which \(output) is not. Leave it out.")
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

  /// Plays the games that determine which weights are removed; returns nil if all are kept.
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

/// Reads the number of bits of a compact weight.
private func compactBits(_ text: String) throws -> Int {
  let bits = try count(text)
  guard CompactFile.bitCounts.contains(bits) else {
    throw ValidationError("Use 2 to 16 bits.")
  }
  return bits
}

/// Reads an error in points.
private func points(_ text: String) throws -> Double {
  guard let value = Double(text), value.isFinite, value >= 0 else {
    throw ValidationError("Use a number of points of at least 0.")
  }
  return value
}
