import Foundation

/// One file of a run's history: the weights after a number of episodes.
public struct Checkpoint: Hashable, Sendable {
  /// The path of the weight file.
  public let path: String
  /// The episodes of the run up to these weights.
  public let episodes: Int
  /// 1, or more if other weights after as many episodes had to stay.
  public let version: Int

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

  /// The file name, as `episodes-000100000.safetensors`.
  static func name(episodes: Int, version: Int = 1) -> String {
    let digits = String(episodes)
    let zeros = String(repeating: "0", count: max(0, 9 - digits.count))
    return prefix + zeros + digits + (version == 1 ? "" : "-\(version)") + suffix
  }

  /// The checkpoint of this file name, or nil if it is another file.
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

/// Which checkpoint of a run is meant.
public enum CheckpointName: Hashable, Sendable, CustomStringConvertible {
  /// The one that the run's state belongs to; without a state, the one of most episodes.
  case latest
  /// The one with the highest mean score in an evaluation; the latest where none was recorded.
  case best
  /// The one after this many episodes.
  case episodes(Int)

  public var description: String {
    switch self {
    case .latest: "latest"
    case .best: "best"
    case .episodes(let episodes): "\(episodes)"
    }
  }
}

/// Which checkpoint did best in an evaluation, as `best.json` records it.
public struct BestCheckpoint: Codable, Hashable, Sendable {
  /// The file name of the checkpoint.
  public let file: String
  /// The checksum of its weights.
  public let checksum: String
  public let episodes: Int
  /// The mean score of the evaluation, in points.
  public let meanScore: Double
}
