import ArgumentParser
import Search

/// How a model searches: the options of the player `learned`, under the same names.
struct SearchOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: "The plies that the model looks ahead, at most; evaluate takes several.",
    transform: searchDepth)
  var depth: [Int] = []

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
    help: ArgumentHelp("Threads of one search; a player's key threads.", valueName: "threads"))
  var searchThreads: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Downgrade tiles before a search from this one on.", valueName: "tile"))
  var downgrade: String?

  private var others: [(name: String, key: String, value: String)] {
    [
      ("--time", "time", time), ("--nodes", "nodes", nodes),
      ("--probability", "probability", probability), ("--limits", "limits", limits),
      ("--table", "table", table), ("--search-threads", "threads", searchThreads),
      ("--downgrade", "downgrade", downgrade),
    ].compactMap { name, key, value in value.map { (name, key, $0) } }
  }

  /// The settings that were asked for, one for each depth.
  ///
  /// - Parameter defaultDepths: the plies where nothing says how far to search.
  /// - Throws: `PlayerSpecificationError`.
  func settings(defaultDepths: [Int]) throws -> [SearchSettings] {
    let options = Dictionary(uniqueKeysWithValues: others.map { ($0.key, $0.value) })
    let isBudgeted = time != nil || nodes != nil
    let depths: [Int?] =
      !depth.isEmpty ? depth : isBudgeted || !others.isEmpty ? [nil] : defaultDepths
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
    if depth.count > 1 {
      throw Failure(.usage, "--depth is given twice: one model looks ahead here, so name one depth")
    }
    return try settings(defaultDepths: [1])[0]
  }

  /// Refuses options where something else says how to search.
  func refuse(with other: String) throws {
    let names = (depth.isEmpty ? [] : ["--depth"]) + others.map(\.name)
    if let name = names.first {
      throw Failure(
        .usage,
        "\(name) is for a model, and does not go with \(other); write it into the player, as "
          + "heuristic:depth=2")
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
