import ArgumentParser
import Basics
import Players
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
  @Option(.nodes) var nodes: String?
  @Option(.probability) var probability: String?
  @Option(.limits) var limits: String?
  @Option(.table) var table: String?
  @Option(.threads) var searchThreads: String?
  @Option(.downgrade) var downgrade: String?

  /// The options other than the depth that were given.
  private var others: [(option: PlayerOption, value: String)] {
    let all: [(PlayerOption, String?)] = [
      (.time, time), (.nodes, nodes), (.probability, probability), (.limits, limits),
      (.table, table), (.threads, searchThreads), (.downgrade, downgrade),
    ]
    return all.compactMap { option, value in value.map { (option, $0) } }
  }

  /// The first option that was given, and the same in a PLAYER text; nil if none was.
  var firstGiven: (option: String, setting: String)? {
    if let depth = depth.first { return (option: "--depth", setting: "depth=\(depth)") }
    return others.first.map { option, value in
      (option: "--\(option.flag)", setting: "\(option.key)=\(value)")
    }
  }

  /// Returns the settings of the options, one for each depth.
  ///
  /// - Parameter defaultDepths: The depths in plies if no option decides the depth.
  /// - Throws: `PlayerSpecificationError`.
  func settings(defaultDepths: [Int]) throws -> [SearchSettings] {
    let values = Dictionary(uniqueKeysWithValues: others.map { ($0.option.key, $0.value) })
    // Downgrading alone does not decide the depth.
    let decidesDepth = values.contains { $0.key != PlayerOption.downgrade.key }
    let depths: [SearchDepth?] =
      !depth.isEmpty ? depth : decidesDepth ? [nil] : defaultDepths.map { .plies($0) }
    return try depths.map { depth in
      var values = values
      values[PlayerOption.depth.key] = depth.map { "\($0)" }
      return try PlayerSpecification(.learned, options: values).search!
    }
  }

  /// Returns the settings of one player.
  ///
  /// - Throws: `Failure` if several depths are given, or `PlayerSpecificationError`.
  func onlySettings() throws -> SearchSettings {
    try requireOneDepth()
    return try settings(defaultDepths: [1])[0]
  }

  /// Returns a PLAYER text with the options that were given at its end.
  ///
  /// - Throws: `Failure` if several depths are given.
  func added(to player: String) throws -> String {
    try requireOneDepth()
    let options = depth.map { "depth=\($0)" } + others.map { "\($0.option.key)=\($0.value)" }
    if options.isEmpty { return player }
    return player + (player.contains(":") ? "," : ":") + options.joined(separator: ",")
  }

  private func requireOneDepth() throws {
    if depth.count > 1 {
      throw Failure(
        .usage, "--depth is given twice, but only one player searches. Give one depth.")
    }
  }
}

extension Option<String?> {
  /// An option with the name and the help of an option of PLAYER texts.
  fileprivate init(_ option: PlayerOption) {
    let standard = option.defaultText.isEmpty ? "" : " (default: \(option.defaultText))"
    self.init(
      name: .customLong(option.flag), parsing: .unconditional,
      help: ArgumentHelp("\(option.meaning)\(standard).", valueName: option.valueName))
  }
}

extension PlayerSpecification {
  /// Reads the PLAYER text of a command that also takes a model, which `learned` then uses.
  ///
  /// - Throws: `PlayerSpecificationError`, or `Failure` if the player does not use the model.
  init(_ text: String, model: String?) throws {
    self = try PlayerSpecification(text)
    guard let model else { return }
    guard case .learned(nil, let search) = self else {
      throw Failure(
        .usage,
        "--player \(text) does not use --model \(model). Give one of them, or "
          + "--player learned:model=\(model)")
    }
    self = .learned(model: model, search: search)
  }
}

/// Reads the search depth of a model.
private func modelDepth(_ text: String) throws -> SearchDepth {
  text == "auto" ? .auto : .plies(try searchDepth(text))
}

/// Reads a number of plies.
func searchDepth(_ text: String) throws -> Int {
  let plies = try count(text)
  guard SearchDepth.range.contains(plies) else {
    throw ValidationError(
      "a search has \(SearchDepth.range.lowerBound) to \(SearchDepth.range.upperBound) plies")
  }
  return plies
}
