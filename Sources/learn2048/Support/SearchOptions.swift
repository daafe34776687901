import ArgumentParser
import Basics
import Players
import Search

/// How a player searches: the options of PLAYER texts, under the same names.
struct SearchOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: "The plies that the model looks ahead, at most, or auto; evaluate takes several.",
    transform: modelDepth)
  var depth: [SearchDepth] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Search so long for each move, in ms of processor time.", valueName: "ms"))
  var time: String?

  @Option(parsing: .unconditional, help: "Search so many nodes for each move.")
  var nodes: String?

  @Option(
    parsing: .unconditional, help: "Do not follow spawns whose joint probability is below this.")
  var probability: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Search less far on emptier boards, as 6:3/10:2: 3 plies from 6 empty cells on.",
      valueName: "cells:plies/..."))
  var limits: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Memory of the transposition table, as 64M; 0 for none.", valueName: "size"))
  var table: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Threads of one search: the key threads of a PLAYER text.", valueName: "threads"))
  var searchThreads: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "From this tile on, search the board with its largest tiles lowered.", valueName: "tile"))
  var downgrade: String?

  private var others: [(key: String, value: String)] {
    [
      ("time", time), ("nodes", nodes), ("probability", probability), ("limits", limits),
      ("table", table), ("threads", searchThreads), ("downgrade", downgrade),
    ].compactMap { key, value in value.map { (key, $0) } }
  }

  /// The first option that was given, and how a PLAYER text says the same; nil if none was.
  var firstGiven: (option: String, setting: String)? {
    if let depth = depth.first { return (option: "--depth", setting: "depth=\(depth)") }
    return others.first.map { key, value in
      (option: key == "threads" ? "--search-threads" : "--\(key)", setting: "\(key)=\(value)")
    }
  }

  /// The settings that were asked for, one for each depth.
  ///
  /// - Parameter defaultDepths: the plies where nothing says how far to search.
  /// - Throws: `PlayerSpecificationError`.
  func settings(defaultDepths: [Int]) throws -> [SearchSettings] {
    let options = Dictionary(uniqueKeysWithValues: others.map { ($0.key, $0.value) })
    // Downgrading alone says nothing of how far to search.
    let decidesDepth = others.contains { $0.key != "downgrade" }
    let depths: [SearchDepth?] =
      !depth.isEmpty ? depth : decidesDepth ? [nil] : defaultDepths.map { .plies($0) }
    return try depths.map { plies in
      var options = options
      if let plies { options["depth"] = "\(plies)" }
      return try SearchSettings(options: options, of: "learned", defaultDepth: 1)
    }
  }

  /// The settings of one player.
  ///
  /// - Throws: `Failure` if several are named, or `PlayerSpecificationError`.
  func onlySettings() throws -> SearchSettings {
    try requireOneDepth()
    return try settings(defaultDepths: [1])[0]
  }

  /// A PLAYER text with the options at its end that were asked for.
  ///
  /// - Throws: `Failure` if several depths are named.
  func added(to player: String) throws -> String {
    try requireOneDepth()
    let options = depth.map { "depth=\($0)" } + others.map { "\($0.key)=\($0.value)" }
    if options.isEmpty { return player }
    return player + (player.contains(":") ? "," : ":") + options.joined(separator: ",")
  }

  private func requireOneDepth() throws {
    if depth.count > 1 {
      throw Failure(
        .usage, "--depth is given twice: one player looks ahead here, so name one depth")
    }
  }
}

extension PlayerSpecification {
  /// Reads the PLAYER text of a command that also takes a model: `learned` without one means that.
  ///
  /// - Throws: `PlayerSpecificationError`, or `Failure` if the player has no use for the model.
  init(_ text: String, model: String?) throws {
    self = try PlayerSpecification(text)
    guard let model else { return }
    guard case .learned(nil, let search) = self else {
      throw Failure(
        .usage,
        "name either --model \(model) or --player \(text); "
          + "a player of a model is learned:model=\(model)")
    }
    self = .learned(model: model, search: search)
  }
}

/// Reads how far a model looks ahead.
private func modelDepth(_ text: String) throws -> SearchDepth {
  text == "auto" ? .auto : .plies(try searchDepth(text))
}

/// Reads the plies of a search.
func searchDepth(_ text: String) throws -> Int {
  let plies = try count(text)
  guard SearchDepth.range.contains(plies) else {
    throw ValidationError(
      "a search looks \(SearchDepth.range.lowerBound) to \(SearchDepth.range.upperBound) plies ahead"
    )
  }
  return plies
}
