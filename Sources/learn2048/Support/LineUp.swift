import Players

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

  /// - Parameter search: how models search; where it says nothing, at 1 ply for the checkpoints of a
  ///   curve, and at 1 and at 2 for others.
  /// - Throws: `Failure`, `LocatedError` or `PlayerSpecificationError`.
  init(models: [String], search: SearchOptions, against: [String]) throws {
    if models.isEmpty, let given = search.firstGiven {
      throw Failure(
        .usage,
        "\(given.option) is for models, and none is named: name one, or write it as an option of a "
          + "player, such as heuristic:\(given.setting)")
    }
    func contestants(
      _ model: String, defaults: [Int], episodes: Int? = nil
    ) throws -> [Contestant] {
      try search.settings(defaultDepths: defaults).map {
        Contestant(specification: .learned(model: model, search: $0), episodes: episodes)
      }
    }
    var named: [Contestant] = []
    var curves: [[Contestant]] = []
    for model in models {
      guard let run = ModelLocator.runOfAll(model) else {
        named += try contestants(model, defaults: [1, 2])
        continue
      }
      for episodes in try ModelLocator.checkpoints(of: run) {
        curves.append(
          try contestants("\(run)@\(episodes)", defaults: [1], episodes: episodes))
      }
    }
    named += try against.map { Contestant(specification: try PlayerSpecification($0)) }
    groups = (named.isEmpty ? [] : [named]) + curves
    var seen: Set<PlayerSpecification> = []
    for player in groups.joined().map(\.specification) where !seen.insert(player).inserted {
      throw Failure(.usage, "\(player) is named twice; name it once")
    }
  }
}
