import Foundation

/// A weight file of a run: the weights after a number of episodes.
public struct Checkpoint: Hashable, Sendable {
  /// The path of the weight file.
  public let path: String
  /// The number of episodes that the weights have learned from.
  public let episodes: Int
  /// 1, or more if different weights after the same number of episodes had to be kept.
  public let version: Int

  /// The file name.
  public var name: String { (path as NSString).lastPathComponent }
}

extension Checkpoint: Comparable {
  public static func < (a: Checkpoint, b: Checkpoint) -> Bool {
    (a.episodes, a.version) < (b.episodes, b.version)
  }
}

extension Checkpoint {
  private static let prefix = "episodes-"
  private static let suffix = ".safetensors"

  /// Returns a file name such as `episodes-000100000.safetensors`.
  static func name(episodes: Int, version: Int = 1) -> String {
    prefix + String(format: "%09ld", episodes) + (version == 1 ? "" : "-\(version)") + suffix
  }

  /// Creates the checkpoint of this file name; nil if the name is not that of a checkpoint.
  init?(name: String, in directory: String) {
    guard name.hasPrefix(Checkpoint.prefix), name.hasSuffix(Checkpoint.suffix) else { return nil }
    let numbers = name.dropFirst(Checkpoint.prefix.count).dropLast(Checkpoint.suffix.count)
      .split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let episodes = numbers[0], let version = numbers.count == 1 ? 1 : numbers[1],
      numbers.count <= 2, Checkpoint.name(episodes: episodes, version: version) == name
    else { return nil }
    self.init(
      path: (directory as NSString).appendingPathComponent(name), episodes: episodes,
      version: version)
  }
}

/// The name of one checkpoint of a run.
public enum CheckpointName: Hashable, Sendable, CustomStringConvertible {
  /// The checkpoint of the run's state; without a state, the one with the most episodes.
  case latest
  /// The checkpoint with the highest mean score in an evaluation; the latest if none is recorded.
  case best
  /// The checkpoint after this number of episodes.
  case episodes(Int)

  public var description: String {
    switch self {
    case .latest: "latest"
    case .best: "best"
    case .episodes(let episodes): "\(episodes)"
    }
  }
}

/// The checkpoint with the best evaluation of a run. The run's state names it, and `best.json` repeats it for readers.
public struct BestCheckpoint: Codable, Hashable, Sendable {
  /// The file name of the checkpoint.
  public let file: String
  /// The checksum of its weights.
  public let checksum: String
  /// The number of episodes that the weights have learned from.
  public let episodes: Int
  /// The mean score of the evaluation, in points.
  public let meanScore: Double
}

extension BestCheckpoint {
  /// States of version 0.1.0 have only the episodes and the mean score; the checksum is then empty.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    episodes = try values.decode(Int.self, forKey: .episodes)
    meanScore = try values.decode(Double.self, forKey: .meanScore)
    file =
      try values.decodeIfPresent(String.self, forKey: .file) ?? Checkpoint.name(episodes: episodes)
    checksum = try values.decodeIfPresent(String.self, forKey: .checksum) ?? ""
  }
}
