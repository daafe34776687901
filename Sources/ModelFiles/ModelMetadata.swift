import Basics
import Game2048
import NTupleNetwork

/// The origin of weights, and the game for which they were trained.
public struct ModelMetadata: Hashable, Sendable {
  /// The resolved configuration as JSON text.
  public var config: String
  /// The probability that a spawned tile is a 4; the board size is part of the network's shape.
  public var fourProbability: Double
  /// The segments of training, oldest first; empty if the origin of the weights is unknown.
  public var history: [TrainingSegment]
  /// The number of episodes trained.
  public var episodes: Int
  /// The number of moves trained.
  public var moves: Int
  /// The seed of the last segment.
  public var seed: UInt64
  /// The version of the program that wrote the file; nil if another program did.
  public var version: String?
  /// The number of latest episodes over which a run averaged the weights; nil if it did not.
  public var averagedEpisodes: Int?

  /// Creates metadata; totals that are not given are those of the segments.
  ///
  /// - Precondition: The totals do not overflow.
  public init(
    config: String = "{}", fourProbability: Double = Rules.standardFourProbability,
    history: [TrainingSegment] = [], episodes: Int? = nil, moves: Int? = nil,
    seed: UInt64? = nil, version: String? = nil, averagedEpisodes: Int? = nil
  ) {
    self.config = config
    self.fourProbability = fourProbability
    self.history = history
    self.episodes = episodes ?? history.reduce(0) { $0 + $1.episodes }
    self.moves = moves ?? history.reduce(0) { $0 + $1.moves }
    self.seed = seed ?? history.last?.seed ?? 0
    self.version = version
    self.averagedEpisodes = averagedEpisodes
  }
}

extension ModelMetadata {
  /// Whether it is known how the weights were trained.
  package var hasKnownOrigin: Bool { !history.isEmpty }

  /// Returns the rules of the game that a network of this shape was trained for.
  func rules(_ shape: NetworkShape) -> Rules {
    Rules(size: shape.boardSize, fourProbability: fourProbability)
  }

  /// Returns the training segments of several models, using only the last model of every run.
  ///
  /// A model counts as an earlier state of another one if both have the same configuration and the other's
  /// history begins with the same segments; the last of these may be shorter in the earlier state.
  package static func jointHistory(of models: [ModelMetadata]) -> [TrainingSegment] {
    var counted: [ModelMetadata] = []
    for model in models where !counted.contains(where: { model.precedes($0) }) {
      counted.removeAll { $0.precedes(model) }
      counted.append(model)
    }
    return counted.flatMap(\.history)
  }

  /// Returns whether `other` is the same model, or a later state of the same run.
  private func precedes(_ other: ModelMetadata) -> Bool {
    guard let last = history.last, history.count <= other.history.count else { return false }
    let before = history.count - 1
    guard history.prefix(before) == other.history.prefix(before) else { return false }
    // The duration identifies a complete segment. A partial one could be of any run with this seed.
    return last == other.history[before]
      || config == other.config && last.isBeginning(of: other.history[before])
  }

  /// Returns the metadata of a file.
  ///
  /// The probability of a 4 is omitted if it is the standard one. Files of older versions have it only in
  /// the configuration, so it is also written if the configuration has another value.
  func encoded(for path: String) throws -> [String: String] {
    var fields = [
      MetadataKey.config: config,
      MetadataKey.history: try history.metadataText(MetadataKey.history, path: path),
      MetadataKey.episodes: String(episodes),
      MetadataKey.moves: String(moves),
      MetadataKey.seed: String(seed),
    ]
    fields[MetadataKey.version] = version
    let standard = Rules.standardFourProbability
    if fourProbability != standard
      || ModelMetadata.fourProbability(ofConfiguration: config) != standard
    {
      fields[MetadataKey.fourProbability] = String(fourProbability)
    }
    if let averagedEpisodes { fields[MetadataKey.averagedEpisodes] = String(averagedEpisodes) }
    return fields
  }

  /// Returns the probability of a 4 in a configuration, or the standard one if it has none.
  private static func fourProbability(ofConfiguration text: String) -> Double {
    let game = (try? JSONParser.parse(Array(text.utf8)))?.object?["game"]?.object
    let value = game?["fourProbability"]?.double
    return value.flatMap { (0...1).contains($0) ? $0 : nil } ?? Rules.standardFourProbability
  }

  init(_ fields: MetadataFields) throws {
    let probability = try fields.probability(MetadataKey.fourProbability)
    guard fields.hasChecksums else {
      self.init(fourProbability: probability ?? Rules.standardFourProbability)
      return
    }
    let config = try fields.text(MetadataKey.config)
    let history: [TrainingSegment] = try fields.json(MetadataKey.history)
    guard history.arePossible else {
      throw fields.damaged(
        MetadataKey.history, "has an impossible number of episodes, moves or seconds")
    }
    let isAverage = fields.metadata[MetadataKey.averagedEpisodes] != nil
    self.init(
      config: config,
      fourProbability: probability ?? ModelMetadata.fourProbability(ofConfiguration: config),
      history: history, episodes: try fields.count(MetadataKey.episodes),
      moves: try fields.count(MetadataKey.moves), seed: try fields.integer(MetadataKey.seed),
      version: fields.metadata[MetadataKey.version],
      averagedEpisodes: isAverage ? try fields.count(MetadataKey.averagedEpisodes) : nil)
  }
}

/// A part of the training with one program version and seed.
public struct TrainingSegment: Codable, Hashable, Sendable {
  /// The number of episodes trained in this segment.
  public var episodes: Int
  /// The number of moves made in this segment.
  public var moves: Int
  /// The seed of this segment.
  public var seed: UInt64
  /// The duration in seconds of wall-clock time.
  public var wallSeconds: Double
  /// The version of the program that trained.
  public var version: String

  /// Creates a segment.
  public init(episodes: Int, moves: Int, seed: UInt64, wallSeconds: Double, version: String) {
    self.episodes = episodes
    self.moves = moves
    self.seed = seed
    self.wallSeconds = wallSeconds
    self.version = version
  }
}

extension TrainingSegment {
  /// Returns whether this can be an earlier state of `other`.
  func isBeginning(of other: TrainingSegment) -> Bool {
    seed == other.seed && version == other.version && episodes <= other.episodes
      && moves <= other.moves && wallSeconds <= other.wallSeconds
  }
}

extension [TrainingSegment] {
  /// Whether training can have had these segments; their totals are then counts that files can hold.
  package var arePossible: Bool {
    var (episodes, moves, seconds) = (0, 0, 0.0)
    return allSatisfy { segment in
      guard InputLimit.count.allows(segment.episodes), InputLimit.count.allows(segment.moves),
        segment.wallSeconds >= 0
      else { return false }
      episodes += segment.episodes
      moves += segment.moves
      seconds += segment.wallSeconds
      return InputLimit.count.allows(episodes) && InputLimit.count.allows(moves)
        && seconds.isFinite
    }
  }
}
