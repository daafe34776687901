import Basics
import Game2048

/// The origin of the weights of a file, and the game that they were trained for.
public struct ModelMetadata: Hashable, Sendable {
  /// The resolved configuration as JSON text.
  public var config: String
  /// The probability that a spawned tile is a 4. The network's shape has the size of the board.
  public var fourProbability: Double
  /// The periods of training, oldest first; empty for an imported network.
  public var history: [TrainingSegment]
  /// Episodes of the run up to these weights.
  public var episodes: Int
  /// Moves of the run up to these weights.
  public var moves: Int
  public var seed: UInt64
  /// The version of the program that wrote the file.
  public var version: String

  public init(
    config: String = "{}", fourProbability: Double = Rules.standardFourProbability,
    history: [TrainingSegment] = [], episodes: Int = 0, moves: Int = 0, seed: UInt64 = 0,
    version: String
  ) {
    self.config = config
    self.fourProbability = fourProbability
    self.history = history
    self.episodes = episodes
    self.moves = moves
    self.seed = seed
    self.version = version
  }

  /// Creates metadata with the totals of the segments.
  public init(
    config: String, fourProbability: Double = Rules.standardFourProbability,
    history: [TrainingSegment], version: String
  ) {
    self.init(
      config: config, fourProbability: fourProbability, history: history,
      episodes: history.reduce(0) { $0 + $1.episodes },
      moves: history.reduce(0) { $0 + $1.moves }, seed: history.last?.seed ?? 0, version: version)
  }
}

extension ModelMetadata {
  /// Returns the segments of several models, counting the states of one run only once, by the last.
  ///
  /// A model is an earlier state of another if both have the same configuration and the other's
  /// history begins with the same segments, the last of which may have been shorter.
  public static func jointHistory(of models: [ModelMetadata]) -> [TrainingSegment] {
    var counted: [ModelMetadata] = []
    for model in models where !counted.contains(where: { model.precedes($0) }) {
      counted.removeAll { $0.precedes(model) }
      counted.append(model)
    }
    return counted.flatMap(\.history)
  }

  /// Whether `other` was trained further from this model, or is the same.
  private func precedes(_ other: ModelMetadata) -> Bool {
    guard let last = history.last, history.count <= other.history.count else { return false }
    let before = history.count - 1
    guard history.prefix(before) == other.history.prefix(before) else { return false }
    // Its seconds identify a complete segment; a part of one might be of any run with the seed.
    return last == other.history[before]
      || config == other.config && last.isBeginning(of: other.history[before])
  }

  /// Returns the metadata as the strings of a file.
  ///
  /// A file without the probability of a 4 has the standard one, unless it is of a version that
  /// wrote it in the configuration only.
  func encoded(for path: String) throws -> [String: String] {
    var fields = [
      MetadataKey.config: config,
      MetadataKey.history: try HeaderJSON.encode(history, MetadataKey.history, path: path),
      MetadataKey.episodes: String(episodes),
      MetadataKey.moves: String(moves),
      MetadataKey.seed: String(seed),
      MetadataKey.version: version,
    ]
    let standard = Rules.standardFourProbability
    if fourProbability != standard
      || ModelMetadata.fourProbability(ofConfiguration: config) != standard
    {
      fields[MetadataKey.fourProbability] = String(fourProbability)
    }
    return fields
  }

  /// Returns the probability of a 4 in a configuration's text; the standard one if it has none.
  private static func fourProbability(ofConfiguration text: String) -> Double {
    let game = (try? JSONParser.parse(Array(text.utf8)))?.object?["game"]?.object
    let value = game?["fourProbability"]?.double
    return value.flatMap { (0...1).contains($0) ? $0 : nil } ?? Rules.standardFourProbability
  }

  init(_ fields: MetadataFields) throws {
    config = try fields.text(MetadataKey.config)
    fourProbability =
      try fields.probability(MetadataKey.fourProbability)
      ?? ModelMetadata.fourProbability(ofConfiguration: config)
    history = try fields.json(MetadataKey.history)
    // Within these bounds, sums do not overflow.
    guard
      history.allSatisfy({ (0..<1 << 48).contains($0.episodes) && (0..<1 << 48).contains($0.moves) }
      )
    else { throw fields.damaged(MetadataKey.history, "has segments of impossible length") }
    episodes = try fields.count(MetadataKey.episodes)
    moves = try fields.count(MetadataKey.moves)
    seed = try fields.integer(MetadataKey.seed)
    version = try fields.text(MetadataKey.version)
  }
}
