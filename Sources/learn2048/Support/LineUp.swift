import Players

/// The players of an evaluation, in groups that play one after the other.
struct LineUp {
  /// A player; if it is a checkpoint of a learning curve, with the episodes of its training.
  struct Contestant {
    let specification: PlayerSpecification
    var episodes: Int?
  }

  /// First the models and players that were named one by one, then each checkpoint of `RUN@all` in
  /// a separate group.
  private(set) var groups: [[Contestant]] = []

  var contestants: [Contestant] { groups.flatMap(\.self) }

  /// Creates the players of the arguments of `evaluate`.
  ///
  /// - Parameter search: The search of models. The default is 1 ply for the checkpoints of a curve,
  ///   and both 1 and 2 plies for other models.
  /// - Throws: `Failure`, `LocatedError` or `PlayerSpecificationError`.
  init(models: [String], search: SearchOptions, against: [String]) throws {
    if models.isEmpty, let given = search.firstGiven {
      throw Failure(
        .usage,
        "\(given.option) is for models, and none is given. Name a model, or give the option to a player, "
          + "such as heuristic:\(given.setting)")
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
      throw Failure(.usage, "\(player) is given twice. Give it once.")
    }
  }
}
