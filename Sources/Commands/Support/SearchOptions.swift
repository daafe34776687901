import ArgumentParser
import Basics
import Play
import Search

/// The options of searches, which are those of PLAYER texts.
struct SearchOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "\(PlayerOption.depth.meaning). Repeatable with evaluate.",
      valueName: PlayerOption.depth.valueName),
    transform: modelDepth)
  var depth: [SearchDepth] = []

  @Option(.time) var time: String?
  @Option(.average) var average: String?
  @Option(.nodes) var nodes: String?
  @Option(.probability) var probability: String?
  @Option(.limits) var limits: String?
  @Option(.table) var table: String?
  @Option(.threads) var searchThreads: String?
  @Option(.downgrade) var downgrade: String?
  @Option(.tables) var tables: String?
  @Option(.endgame) var endgame: String?
  @Option(.handover) var handover: String?

  fileprivate var given: [(option: PlayerOption, value: String)] {
    let others: [(PlayerOption, String?)] = [
      (.time, time), (.average, average), (.nodes, nodes), (.probability, probability),
      (.limits, limits),
      (.table, table), (.threads, searchThreads), (.downgrade, downgrade), (.tables, tables),
      (.endgame, endgame), (.handover, handover),
    ]
    return depth.map { (.depth, "\($0)") }
      + others.compactMap { option, value in value.map { (option, $0) } }
  }

  /// The first option that was given, and the same in a PLAYER text; nil if none was.
  var firstGiven: (option: String, setting: String)? {
    given.first.map { ("--\($0.option.flag)", "\($0.option.key)=\($0.value)") }
  }

  /// Returns the players of a model with these options, one for each depth.
  ///
  /// - Parameter defaultDepths: The depths in plies if no option decides the depth.
  func players(of model: String?, defaultDepths: [Int]) throws -> [PlayerSpecification] {
    let others = given.dropFirst(depth.count)
    let values = Dictionary(uniqueKeysWithValues: others.map { ($0.option.key, $0.value) })
    let decidesDepth = [PlayerOption.time, .average, .nodes].contains { values[$0.key] != nil }
    let depths: [SearchDepth?] =
      !depth.isEmpty ? depth : decidesDepth ? [nil] : defaultDepths.map { .plies($0) }
    return try depths.map { depth in
      var values = values
      values[PlayerOption.depth.key] = depth.map { "\($0)" }
      return try PlayerSpecification(.learned, options: values).with(model: model)
    }
  }
}

/// The options that name the only player of a command.
struct PlayerOptions: ParsableArguments {
  @Option(
    "model", "Model of the player: a run or a weight file (default: the bundled model).")
  var model: String?

  @Option(
    "player",
    "Player to use instead, such as heuristic (default: \(PlayerSpecification.usualText)).")
  var player: String?

  @OptionGroup var search: SearchOptions

  /// Returns the player, with the options of searches that were given. Without any that decides its depth, it searches
  /// with the model to ``PlayerSpecification/usualDepth``.
  ///
  /// - Parameter fallback: The player if none is named and there is no default model; nil for an error later.
  func specification(orElse fallback: String? = nil) throws -> PlayerSpecification {
    if search.depth.count > 1 {
      throw Failure(
        .usage, "--depth is given twice, but only one player searches. Give one depth.")
    }
    let hasDefault = player == nil && model == nil && fallback != nil
    let model = hasDefault ? ModelLocator.defaultModel : model
    guard let player = player ?? (model == nil ? fallback : nil) else {
      return try search.players(of: model, defaultDepths: [PlayerSpecification.usualDepth])[0]
    }
    let specification = try PlayerSpecification(
      player, adding: search.given.map { ($0.option.key, $0.value) })
    guard let model else { return specification }
    guard specification.kind == .learned, specification.model == nil else {
      throw Failure(
        .usage,
        "--player \(player) does not use --model \(model). Give one of them, or "
          + "--player learned:model=\(model)")
    }
    return specification.with(model: model)
  }
}

extension Option<String?> {
  /// An option with the name and the help of an option of PLAYER texts.
  fileprivate init(_ option: PlayerOption) {
    let standard = option.defaultText.isEmpty ? "" : " (default: \(option.defaultText))"
    self.init(
      name: .customLong(option.flag), parsing: .unconditional,
      help: ArgumentHelp("\(option.meaning)\(standard).", valueName: option.valueName),
      completion: .named(option.valueName))
  }
}

private func modelDepth(_ text: String) throws -> SearchDepth {
  text == "auto" ? .auto : .plies(try searchDepth(text))
}

func searchDepth(_ text: String) throws -> Int {
  let plies = try count(text)
  guard SearchDepth.range.contains(plies) else {
    throw ValidationError(
      "a search has \(SearchDepth.range.lowerBound) to \(SearchDepth.range.upperBound) plies")
  }
  return plies
}
