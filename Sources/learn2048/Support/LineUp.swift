import Search

/// Who plays in an evaluation, in groups that play one after the other.
struct LineUp {
  /// A player, and the episodes that its checkpoint of a learning curve had seen.
  struct Contestant {
    let specification: PlayerSpecification
    var episodes: Int?
  }

  /// The models and players that were named one by one; then, each by itself, the checkpoints of
  /// `RUN@all`.
  private(set) var groups: [[Contestant]] = []

  var contestants: [Contestant] { groups.flatMap(\.self) }

  /// - Parameter depths: the plies that models look ahead; if empty, 1 for the checkpoints of a curve,
  ///   and 1 and 2 for others.
  /// - Throws: `Failure`, `ModelFileError` or `PlayerSpecificationError`.
  init(models: [String], depths: [Int], against: [String]) throws {
    func contestants(_ model: String, _ depths: [Int], episodes: Int? = nil) -> [Contestant] {
      depths.map {
        Contestant(
          specification: .learned(model: model, depth: .plies($0)), episodes: episodes)
      }
    }
    var named: [Contestant] = []
    var curves: [[Contestant]] = []
    for model in models {
      guard let run = ModelLocator.runOfAll(model) else {
        named += contestants(model, depths.isEmpty ? [1, 2] : depths)
        continue
      }
      for episodes in try ModelLocator.checkpoints(of: run) {
        curves.append(
          contestants("\(run)@\(episodes)", depths.isEmpty ? [1] : depths, episodes: episodes))
      }
    }
    named += try against.map { Contestant(specification: try PlayerSpecification($0)) }
    groups = (named.isEmpty ? [] : [named]) + curves
  }
}
