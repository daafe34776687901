import Foundation

/// One stretch of training with one program and seed.
public struct TrainingSegment: Codable, Hashable, Sendable {
  /// Episodes trained in this segment.
  public var episodes: Int
  /// Moves made in this segment.
  public var moves: Int
  public var seed: UInt64
  /// The time it took, in seconds.
  public var wallSeconds: Double
  /// The version of the program.
  public var version: String

  public init(episodes: Int, moves: Int, seed: UInt64, wallSeconds: Double, version: String) {
    self.episodes = episodes
    self.moves = moves
    self.seed = seed
    self.wallSeconds = wallSeconds
    self.version = version
  }
}

/// Where the weights of a file come from.
public struct ModelMetadata: Hashable, Sendable {
  /// The resolved configuration, as JSON text; nothing here reads it.
  public var config: String
  /// How the weights were trained, oldest segment first; empty for an imported network.
  public var history: [TrainingSegment]
  /// Episodes of the run up to these weights.
  public var episodes: Int
  /// Moves of the run up to these weights.
  public var moves: Int
  public var seed: UInt64
  /// The version of the program that wrote the file.
  public var version: String

  public init(
    config: String = "{}", history: [TrainingSegment] = [], episodes: Int = 0, moves: Int = 0,
    seed: UInt64 = 0, version: String
  ) {
    self.config = config
    self.history = history
    self.episodes = episodes
    self.moves = moves
    self.seed = seed
    self.version = version
  }

  /// Metadata whose totals are those of the segments.
  public init(config: String, history: [TrainingSegment], version: String) {
    self.init(
      config: config, history: history, episodes: history.reduce(0) { $0 + $1.episodes },
      moves: history.reduce(0) { $0 + $1.moves }, seed: history.last?.seed ?? 0, version: version)
  }
}

extension TrainingSegment {
  /// Whether this can be what `other` was at some moment.
  func isBeginning(of other: TrainingSegment) -> Bool {
    seed == other.seed && version == other.version && episodes <= other.episodes
      && moves <= other.moves && wallSeconds <= other.wallSeconds
  }
}

extension ModelMetadata {
  /// How the weights of several models were trained: the segments of all, but of the states of one
  /// run only those of the last.
  ///
  /// A model is an earlier state of another if that has the same configuration and begins with the
  /// same segments, the last of which may have been shorter then.
  public static func jointHistory(of models: [ModelMetadata]) -> [TrainingSegment] {
    var counted: [ModelMetadata] = []
    for model in models where !counted.contains(where: { model.precedes($0) }) {
      counted.removeAll { $0.precedes(model) }
      counted.append(model)
    }
    return counted.flatMap(\.history)
  }

  /// Whether `other` was trained on from this model, or is the same.
  private func precedes(_ other: ModelMetadata) -> Bool {
    guard let last = history.last, history.count <= other.history.count else { return false }
    let before = history.count - 1
    guard history.prefix(before) == other.history.prefix(before) else { return false }
    // A whole segment is told by its seconds; a part of one might be of any run with the seed.
    return last == other.history[before]
      || config == other.config && last.isBeginning(of: other.history[before])
  }

  func encoded(for path: String) throws -> [String: String] {
    [
      MetadataKey.config: config,
      MetadataKey.history: try HeaderJSON.encode(history, MetadataKey.history, path: path),
      MetadataKey.episodes: String(episodes),
      MetadataKey.moves: String(moves),
      MetadataKey.seed: String(seed),
      MetadataKey.version: version,
    ]
  }

  init(_ fields: MetadataFields) throws {
    config = try fields.text(MetadataKey.config)
    history = try fields.json(MetadataKey.history)
    // So that they can be added up.
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
