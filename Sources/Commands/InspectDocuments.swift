import Basics
import EndgameTables
import Foundation
import ModelFiles
import NTupleNetwork
import Play
import Training

// The documents of `inspect`, from which its texts follow, too.

/// The document of `inspect --json` without a name.
struct RunList: Document {
  let runs: [RunSummary]

  static let fields: [Field<RunList>] = [Field("runs", \.runs)]
}

/// The document of `inspect TABLES --json`.
struct TableList: Document {
  let tables: [EndgameTable]

  static let fields: [Field<TableList>] = [Field("tables", \.tables)]
}

extension EndgameTable: Document {
  package static let fields: [Field<EndgameTable>] = [
    Field("path", \.path, "The file of a table, which is intact; otherwise there is an error."),
    Field("bytes", \.byteCount, unit: "bytes", "The size of the file.")
      .column("size") {
        "\(byteText($0.byteCount)), \(NumberText.grouped($0.entryCount)) probabilities"
      },
    Field("locked", \.lockedText, "The locked cells, as `tables build` reads them.")
      .column("locked") { $0.lockedText },
    Field("goal", { 1 << $0.shape.goal }, "The tile to make."),
    Field(
      "target", \.shape.target.rawValue,
      "`tile` if the goal counts on any free cell, `chain` if a chain merges into it."
    )
    .column("goal") {
      let goal = 1 << $0.shape.goal
      return $0.shape.target == .chain ? "a chain that merges into \(goal)" : "a \(goal)"
    },
    Field(
      "largestSum", \.shape.largestSum,
      "The largest sum of the tiles on free cells that the table knows."
    )
    .column("sum") { "up to \(NumberText.grouped($0.shape.largestSum)) on free cells" },
    Field(
      "fourProbability", \.shape.fourProbability,
      "The probability that a new tile is a 4, else a 2."
    ).column("spawns") { spawnText($0.shape.fourProbability) },
    Field("probabilities", \.entryCount, "The number of probabilities."),
  ]

  private var lockedText: String { CellSet(shape.locked).description }
}

/// The document of `inspect NAME --json` for a `.w` file, which has no checksum and no history.
struct ImportedFile: Document {
  let path: String
  let header: TDL2048File.Header

  static let fields: [Field<ImportedFile>] = [
    Field("path", \.path, "The weight file."),
    Field("format", { _ in "TDL2048+" }, "`TDL2048+`."),
    Field("bytes", \.header.byteCount, unit: "bytes", "The size of the file.")
      .column("size") { sizeText($0.header.byteCount, $0.header.shape) },
    Field("patterns", \.patterns, "The patterns, as cell strings.")
      .column("network") { $0.patterns.joined(separator: " ") },
    Field("weights", \.header.shape.entryCount, "The number of weights."),
    Field(
      "hasFurtherTables", \.header.hasFurtherTables,
      "Whether the file has further tables, which are not read."
    )
    .column("besides") {
      $0.header.hasFurtherTables
        ? "further tables, for example of temporal coherence, which are not read" : nil
    },
  ]

  private var patterns: [String] { header.shape.patterns.map(\.description) }
}

/// The document of `inspect NAME --json` for other weight files, and for runs.
struct InspectedModel: Document {
  let header: WeightFile.Header
  /// The run to which the weights belong, if that was named.
  let run: SavedRun?

  static let fields: [Field<InspectedModel>] =
    header.map { $0.of(\.header) } + [
      Field(
        optional: "run", \.run,
        "The run with all its files; missing for a weight file or checkpoint.")
    ]

  var text: String {
    description("\(header.path): \(header.checksum == nil ? "readable" : "intact")")
  }

  private static let header: [Field<WeightFile.Header>] = [
    Field("path", \.path, "The weight file."),
    Field("isWhole", { _ in true }, "`true`, since other files are rejected."),
    Field(
      optional: "checksum", \.checksum,
      "The SHA-256 checksum of the weights; missing if another program wrote the file without it."
    )
    .column("checksum") { $0.checksum ?? "none, so that no byte of the weights was verified" },
    Field("bytes", \.byteCount, unit: "bytes", "The size of the file.")
      .column("size") { sizeText($0.byteCount, $0.shape) },
    Field("weights", \.shape.entryCount, "The number of weights."),
    Field(
      optional: "kept", \.compact?.keptCount,
      "The number of weights that a .compact file keeps; otherwise missing."
    )
    .column("compact") {
      $0.compact.map { "\(NumberText.grouped($0.keptCount)) weights kept, of \($0.bits) bits" }
    },
    Field(
      optional: "compact", \.compact, "The quantisation of a .compact file; otherwise missing.",
      isListed: false
    )
    .column("pruned") { $0.compact?.pruning?.text }
    .column("made from") { $0.compact?.source },
    Field("boardSize", \.shape.boardSize, "The number of rows and of columns."),
    Field("patterns", { $0.shape.patterns.map(\.description) }, "The patterns, as cell strings.")
      .column("network") { $0.networkText },
    Field(
      optional: "stages", { $0.shape.stages.count > 1 ? $0.shape.stages : nil },
      "`count`, `rule` and `tiles` of the stages; missing without stages.",
      isListed: false),
    Field(
      optional: "downgradeTile", \.shape.downgrading.tile,
      "The value of `network.downgradeTile`; missing without downgrading."),
    Field(
      optional: "levelOffsets", { $0.levelOffsets == .none ? nil : $0.levelOffsets.rows },
      "The level offsets by largest tile, from the highest missing tile down to none, and then with a pair above the "
        + "missing tile up again; missing without offsets.", isListed: true
    )
    .column("offsets") { $0.levelOffsets == .none ? nil : "calibrated by level" },
    Field(
      "fourProbability", \.metadata.fourProbability,
      "The probability that a new tile is a 4, else a 2."
    ).column("spawns") { spawnText($0.metadata.fourProbability) },
    Field(
      optional: "episodes", { $0.metadata.hasKnownOrigin ? $0.metadata.episodes : nil },
      "The number of episodes of training; missing if the origin of the weights is unknown."
    )
    .column("trained") { $0.trainingText },
    Field(
      optional: "moves", { $0.metadata.hasKnownOrigin ? $0.metadata.moves : nil },
      "The number of moves of training; missing as well."),
    Field(
      optional: "averagedEpisodes", \.metadata.averagedEpisodes,
      "The number of latest episodes over which the run averaged the weights; missing if it did not."
    )
    .column("average") {
      $0.metadata.averagedEpisodes.map { "of about the last \(NumberText.count($0, "episode"))" }
    },
    Field(
      optional: "seed", { $0.metadata.hasKnownOrigin ? $0.metadata.seed : nil },
      "The seed of the last training; missing as well."),
    Field(
      optional: "version", \.metadata.version,
      "The version of learn2048 that wrote the file; missing if another program did."),
    Field("history", \.metadata.history),
    Field(
      optional: "config", { try? JSONParser.parse(Array($0.metadata.config.utf8)) },
      "The configuration of the training; missing if it is damaged."),
  ]
}

/// The saved files of a run, which are intact.
struct SavedRun: Document {
  let path: String
  let contents: CheckpointDirectory.Contents

  static let fields: [Field<SavedRun>] = [
    Field("path", \.path, "The run directory."),
    Field(
      optional: "episodes", \.contents.state?.episodes,
      "The episodes of the saved state; missing without one."
    )
    .column("state") { run in
      run.contents.state.map {
        "after \(NumberText.count($0.episodes, "episode")), \(byteText($0.byteCount)), can be resumed"
      } ?? "none; a resumed run would start from scratch"
    },
    Field(
      optional: "stateBytes", \.contents.state?.byteCount, unit: "bytes",
      "The size of the saved state; missing without one."),
    Field(
      optional: "bestMeanScore", \.contents.best?.meanScore, unit: "points",
      "The mean score of the best evaluation; missing without one."),
    Field("weights", \.checkpoints)
      .column("weights") { $0.checkpoints.map(\.text).joined(separator: "\n          ") },
  ]

  private var checkpoints: [SavedWeights] {
    contents.weights.map { header in
      let name = URL(fileURLWithPath: header.path).lastPathComponent
      return SavedWeights(
        header: header, name: name,
        meanScore: contents.best.flatMap { $0.file == name ? $0.meanScore : nil },
        isLatest: contents.state?.weightsFile == name)
    }
  }
}

struct SavedWeights: Document {
  let header: WeightFile.Header
  let name: String
  /// The mean score of the evaluation that found it best; nil if none did.
  let meanScore: Double?
  let isLatest: Bool

  static let fields: [Field<SavedWeights>] = [
    Field("file", \.name, "The name of a checkpoint."),
    Field("episodes", \.header.metadata.episodes, "Its episodes."),
    Field("bytes", \.header.byteCount, unit: "bytes", "Its size."),
    Field(optional: "checksum", \.header.checksum, "Its checksum."),
    Field("isBest", { $0.meanScore != nil }, "Whether an evaluation found it best."),
    Field("isLatest", \.isLatest, "Whether the saved state belongs to it."),
  ]

  var text: String {
    "\(name), \(byteText(header.byteCount))" + (isLatest ? ", the latest" : "")
      + (meanScore.map { ", the best: \(NumberText.grouped($0)) points" } ?? "")
  }
}

extension TrainingSegment: Document {
  package static let fields: [Field<TrainingSegment>] = [
    Field("episodes", \.episodes, "The episodes of a session. There is an object per session."),
    Field("moves", \.moves, "Its moves."),
    Field("seed", \.seed, "Its seed."),
    Field("wallSeconds", \.wallSeconds, unit: "s", "Its elapsed time."),
    Field("version", \.version, "The version of learn2048."),
  ]
}

extension StageRule: Document {
  package static let fields: [Field<StageRule>] = [
    Field("count", \.count, "The number of stages."),
    Field("rule", { _ in "largestTile" }, "The rule."),
    Field("tiles", { $0.exponents.map { 1 << $0 } }, "Its tiles."),
  ]
}

extension CompactSummary: Document {
  package static let fields: [Field<CompactSummary>] = [
    Field("bits", \.bits, "The number of bits per weight."),
    Field(optional: "pruning", \.pruning, "The rule that decided which weights were omitted."),
    Field(optional: "source", \.source, "The checksum of the file that was read."),
    Field("tables", \.tables, "The tables, in the order of the file."),
  ]
}

extension CompactSummary.Pruning: Document {
  package static let fields: [Field<Self>] = [
    Field("tolerance", \.tolerance, unit: "points", "The accepted error of a weight."),
    Field("games", \.games, "The number of games that counted reads."),
    Field("seed", \.seed, "Their seed."),
  ]

  var text: String {
    "tolerance \(tolerance) points, reads of \(NumberText.grouped(games)) greedy games, seed \(seed)"
  }
}

extension CompactSummary.Table: Document {
  package static let fields: [Field<Self>] = [
    Field("kept", \.kept, "The number of kept weights."),
    Field("least", \.least, unit: "points", "The weight of code 0."),
    Field("step", \.step, unit: "points", "The distance between adjacent levels."),
    Field("fill", \.fill, unit: "points", "The omitted weights."),
  ]
}

private func sizeText(_ bytes: Int, _ shape: NetworkShape) -> String {
  "\(byteText(bytes)), \(NumberText.grouped(shape.entryCount)) weights"
}

/// Returns the distribution of new tiles in words.
func spawnText(_ fourProbability: Double) -> String {
  "a 4 with probability \(fourProbability), else a 2"
}

extension WeightFile.Header {
  var trainingText: String {
    guard metadata.hasKnownOrigin else { return "unknown" }
    let seconds = metadata.history.reduce(0) { $0 + $1.wallSeconds }
    return """
      \(NumberText.count(metadata.episodes, "episode")), \(NumberText.count(metadata.moves, "move")), \
      \(NumberText.duration(seconds)), seed \(metadata.seed), version \(metadata.version ?? "unknown")
      """
  }

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
