import Basics
import Game2048
import NTupleNetwork
import Search

/// An option of PLAYER texts: its key, the values that it accepts, and the setting that it changes.
///
/// Reading, messages, canonical texts, the limits of the web page and the reference follow from ``all``. The
/// command-line options of searches take their names and texts from it, but `SearchOptions` lists them.
package struct PlayerOption: Sendable {
  /// The key in a PLAYER text, such as `depth`.
  package let key: String
  /// The players that take the option.
  package let kinds: [PlayerKind]
  /// The name of the value in help texts, such as `ms`.
  package let valueName: String
  /// What the option does, as a sentence without its full stop.
  package let meaning: String
  /// The values that are accepted, in words.
  package let allowed: [String]
  /// The default, in words; empty if an option that is not given has no effect.
  package let defaultText: String

  /// Stores a value; returns false if it is not one of those allowed.
  let read: @Sendable (_ text: String, inout PlayerSpecification) -> Bool
  /// Stores the default, if it depends on other options.
  let setDefault: @Sendable (inout PlayerSpecification) -> Void
  /// Returns the value as a canonical text lists it; nil if the text leaves it out.
  let text: @Sendable (PlayerSpecification) -> String?

  /// The name of the command-line option that does the same for the players of models.
  package var flag: String { key == "threads" ? "search-threads" : key }

  /// An option that has a value in every player.
  ///
  /// - Parameters:
  ///   - standard: Returns the value of a player to which the option is not given; nil if canonical
  ///     texts always list the option.
  static func value<Value: Equatable & Sendable>(
    _ key: String, of kinds: [PlayerKind],
    _ field: WritableKeyPath<PlayerSpecification, Value> & Sendable,
    _ valueName: String, _ meaning: String, allowed: [String],
    defaultText: String, standard: @escaping @Sendable (PlayerSpecification) -> Value?,
    parse: @escaping @Sendable (String) -> Value?,
    format: @escaping @Sendable (Value) -> String
  ) -> PlayerOption {
    PlayerOption(
      key: key, kinds: kinds, valueName: valueName, meaning: meaning, allowed: allowed,
      defaultText: defaultText,
      read: { text, player in
        guard let value = parse(text) else { return false }
        player[keyPath: field] = value
        return true
      },
      setDefault: { player in
        if let value = standard(player) { player[keyPath: field] = value }
      },
      text: { player in
        let value = player[keyPath: field]
        return value == standard(player) ? nil : format(value)
      })
  }

  /// An option that has no value unless it is given.
  static func optional<Value: Equatable & Sendable>(
    _ key: String, of kinds: [PlayerKind],
    _ field: WritableKeyPath<PlayerSpecification, Value?> & Sendable,
    _ valueName: String, _ meaning: String, allowed: [String],
    defaultText: String = "", parse: @escaping @Sendable (String) -> Value?,
    format: @escaping @Sendable (Value) -> String
  ) -> PlayerOption {
    value(
      key, of: kinds, field, valueName, meaning, allowed: allowed,
      defaultText: defaultText, standard: { _ in .some(nil) },
      parse: { parse($0).map(Optional.some) }, format: { $0.map(format) ?? "" })
  }

  /// An option for a whole number, with a constant default.
  static func integer(
    _ key: String, of kinds: [PlayerKind],
    _ field: WritableKeyPath<PlayerSpecification, Int> & Sendable,
    _ valueName: String, _ meaning: String, in range: ClosedRange<Int>, default standard: Int
  ) -> PlayerOption {
    value(
      key, of: kinds, field, valueName, meaning, allowed: [words(range)],
      defaultText: "\(standard)", standard: { _ in standard },
      parse: { Count.read($0, in: range) }, format: { "\($0)" })
  }

  static func words(_ range: ClosedRange<Int>) -> String {
    "\(range.lowerBound) to \(range.upperBound)"
  }
}

/// A kind of player: the name at the start of a PLAYER text.
package enum PlayerKind: String, CaseIterable, Codable, Sendable {
  case random, greedy, rules
  case monteCarlo = "montecarlo"
  case expectimax, heuristic, learned

  /// The kinds that search with expectimax.
  static let searching: [PlayerKind] = [.expectimax, .heuristic, .learned]

  package var name: String { rawValue }

  /// What the player plays, for the reference.
  package var summary: String {
    switch self {
    case .random: "a random legal move"
    case .greedy: "the move with the highest reward"
    case .rules: "the first applicable rule of a short list"
    case .monteCarlo: "the move whose simulated games score best"
    case .expectimax: "the best move of a search with a hand-tuned evaluator"
    case .heuristic: "the best move of a search with rowScore, the evaluator of nneonneo's 2048-ai"
    case .learned: "the best move of a search with a network"
    }
  }

  /// The options, in the order of the reference and of canonical texts.
  package var options: [PlayerOption] { PlayerOption.all.filter { $0.kinds.contains(self) } }

  /// The player of a text without options.
  var standard: PlayerSpecification {
    switch self {
    case .random, .greedy, .rules: PlayerSpecification(kind: self)
    case .monteCarlo: PlayerSpecification(kind: self, monteCarlo: MonteCarloSettings())
    case .expectimax, .heuristic:
      PlayerSpecification(
        kind: self, search: SearchSettings(depth: .plies(3)), evaluator: .rowScore)
    case .learned: .learned(model: nil, search: SearchSettings(depth: .plies(1)))
    }
  }
}

extension PlayerOption {
  /// Every option, in the order of the reference and of canonical texts.
  package static let all: [PlayerOption] =
    [evaluator, model] + ofSearches + [
      simulations, playoutDepth, playoutEvaluator, playoutModel, policy, tries, adaptive,
      playoutThreads,
    ]

  /// The options that say how to search.
  package static let ofSearches = [
    depth, time, average, nodes, probability, limits, table, threads, downgrade, tables, endgame,
    handover,
  ]

  static let evaluator = value(
    "evaluator", of: [.expectimax], \.evaluator!, "name", "Hand-tuned evaluator",
    allowed: evaluatorNames, defaultText: EvaluatorName.rowScore.rawValue, standard: { _ in nil },
    parse: { EvaluatorName(rawValue: $0) }, format: { $0.rawValue })

  static let model = optional(
    "model", of: [.learned], \.model, "model", "Network, as a MODEL",
    allowed: modelTexts, defaultText: "the model of the command, else the bundled model",
    parse: nonempty, format: { $0 })

  package static let depth = value(
    "depth", of: PlayerKind.searching, \.search!.depth, "plies",
    "Search depth in plies, or 'auto' for max(4, distinct tiles − 1)",
    allowed: [words(SearchDepth.range), "auto"],
    defaultText: "\(PlayerKind.heuristic.standard.search!.depth); "
      + "\(PlayerKind.learned.standard.search!.depth) for learned; up to \(deepest) with a budget",
    standard: { $0.search!.hasBudget ? .plies(deepest) : nil },
    parse: { SearchDepth($0) }, format: { "\($0)" })

  package static let time = optional(
    "time", of: PlayerKind.searching, \.search!.milliseconds, "ms",
    "Time budget per move, in milliseconds of CPU time", allowed: ["0.01 to 3600000 ms"],
    parse: milliseconds, format: shortText)

  package static let average = optional(
    "average", of: PlayerKind.searching, \.search!.averageMilliseconds, "ms",
    "Mean time per move of a game, in milliseconds of CPU time: decided moves leave their time to "
      + "later ones",
    allowed: ["0.01 to 3600000 ms"], parse: milliseconds, format: shortText)

  package static let nodes = optional(
    "nodes", of: PlayerKind.searching, \.search!.nodes, "count",
    "Budget of nodes per move: afterstates valued or expanded", allowed: ["1 to 1e15"],
    parse: { Count.read($0, in: 1...1_000_000_000_000_000) }, format: { "\($0)" })

  package static let probability = value(
    "probability", of: PlayerKind.searching, \.search!.probability, "p",
    "Cut: spawns whose joint probability is below this are not searched", allowed: ["0 to 1"],
    defaultText: "0; \(autoProbability) with depth=auto",
    standard: { $0.search!.depth == .auto ? autoProbability : 0 },
    parse: { Double($0).flatMap { (0...1).contains($0) ? $0 : nil } }, format: shortText)

  package static let limits = value(
    "limits", of: PlayerKind.searching, \.search!.limits, "cells:plies/...",
    "Depth limits on emptier boards: with 6:3/10:2, at most 3 plies from 6 empty cells on, and 2 "
      + "from 10 on",
    allowed: ["CELLS:PLIES, several separated by /, such as 6:3/10:2"], defaultText: "",
    standard: { _ in DepthLimits.none }, parse: { DepthLimits($0) }, format: { "\($0)" })

  package static let table = optional(
    "table", of: PlayerKind.searching, \.search!.tableBytes, "size",
    "Size of the transposition table in bytes, such as 64M; 0 for none",
    allowed: ["0", "128 to 1024G", "with K, M or G for powers of 1024"],
    defaultText: "depends on the depth",
    parse: { text in
      let shift: Int? = ["K": 10, "M": 20, "G": 30][text.suffix(1).uppercased()]
      // 1024G is 2^40.
      let most = 1 << (40 - (shift ?? 0))
      return Count.read(shift == nil ? text : String(text.dropLast()), in: 0...most)
        .map { $0 << (shift ?? 0) }
        .flatMap { $0 == 0 || $0 >= TranspositionTable.smallestSize ? $0 : nil }
    },
    format: sizeText)

  package static let threads = integer(
    "threads", of: PlayerKind.searching, \.search!.threads, "count",
    "Threads of one search, which share its table", in: 1...256, default: 1)

  package static let downgrade = optional(
    "downgrade", of: PlayerKind.searching, \.search!.downgradeExponent, "tile",
    "Search boards with this tile or a larger one in their downgraded form",
    allowed: downgradeExponents.map { "\(1 << $0)" },
    parse: { text in
      Count.read(text).flatMap { Board.exponent(ofTile: $0) }
        .flatMap { downgradeExponents.contains($0) ? $0 : nil }
    },
    format: { "\(1 << $0)" })

  package static let tables = optional(
    "tables", of: PlayerKind.searching, \.tables, "dir",
    "Endgame tables in this directory, which value the boards that they know",
    allowed: ["a directory"], parse: nonempty, format: { $0 })

  package static let endgame = optional(
    "endgame", of: PlayerKind.searching, \.endgame, "dir",
    "Late in the game, play by the tables of chains in this directory, and search with cornerChain where they have no "
      + "move",
    allowed: ["a directory"], parse: nonempty, format: { $0 })

  package static let handover = value(
    "handover", of: PlayerKind.searching, \.handoverExponent, "tile",
    "Tile from which on 'endgame' plays; 2 for the whole game",
    allowed: ["2 to 65536, powers of 2"],
    defaultText: "\(1 << PlayerSpecification.standardHandover)",
    standard: { _ in PlayerSpecification.standardHandover },
    parse: { text in
      Count.read(text).flatMap { Board.exponent(ofTile: $0) }
        .flatMap { (1...16).contains($0) ? $0 : nil }
    },
    format: { "\(1 << $0)" })

  package static let simulations = value(
    "simulations", of: [.monteCarlo], \.monteCarlo!.simulations, "count",
    "Simulated games per legal move", allowed: [words(simulationRange)],
    defaultText: "\(MonteCarloSettings().simulations)", standard: { _ in nil },
    parse: { Count.read($0, in: simulationRange) }, format: { "\($0)" })

  static let playoutDepth = value(
    "depth", of: [.monteCarlo], \.monteCarlo!.plies, "plies",
    "Length of simulated games in plies, or 'end' for whole games",
    allowed: [words(plyRange), "end"],
    defaultText: "end; \(standardPlies) with evaluator or model",
    standard: { _ in .some(nil) },
    parse: { $0 == "end" ? .some(nil) : Count.read($0, in: plyRange).map(Optional.some) },
    format: { $0.map { "\($0)" } ?? "end" })

  static let playoutEvaluator = optional(
    "evaluator", of: [.monteCarlo], \.evaluator, "name",
    "Evaluator of the board at the end of a simulated game, with a depth in plies",
    allowed: evaluatorNames, defaultText: EvaluatorName.rowScore.rawValue,
    parse: { EvaluatorName(rawValue: $0) }, format: { $0.rawValue })

  static let playoutModel = optional(
    "model", of: [.monteCarlo], \.model, "model",
    "Network, as a MODEL, in place of the evaluator", allowed: modelTexts, parse: nonempty,
    format: { $0 })

  static let policy = value(
    "policy", of: [.monteCarlo], \.monteCarlo!.policy, "name",
    "Moves of simulated games: random, merging (moves that merge first), or smooth (to the "
      + "smoothest board)",
    allowed: MonteCarloSettings.Policy.allCases.map(\.rawValue), defaultText: "random",
    standard: { _ in .random }, parse: { .init(rawValue: $0) }, format: { $0.rawValue })

  static let tries = integer(
    "tries", of: [.monteCarlo], \.monteCarlo!.illegalTries, "count",
    "Draw moves from all four directions, and end a game after this many illegal draws in a row; 0 "
      + "draws legal moves only", in: 0...100, default: 0)

  static let adaptive = value(
    "adaptive", of: [.monteCarlo], \.monteCarlo!.isAdaptive, "answer",
    "Simulate fewer games on emptier boards: max(1, simulations − 2 · empty cells)",
    allowed: ["yes", "no"], defaultText: "no", standard: { _ in false },
    parse: { ["yes": true, "no": false][$0] }, format: { $0 ? "yes" : "no" })

  package static let playoutThreads = integer(
    "threads", of: [.monteCarlo], \.monteCarlo!.threads, "count",
    "Threads that simulate in parallel; they change no move", in: 1...256, default: 1)

  /// The maximal depth of a search with a budget.
  private static let deepest = 16
  /// The cut of a search with automatic depth.
  package static let autoProbability = 1e-4
  private static let downgradeExponents = 10...Board.largestExponent
  /// The plies of simulated games that an evaluator ends, by default.
  static let standardPlies = 10
  private static let simulationRange = 1...1_000_000
  private static let plyRange = 1...10_000
  private static let evaluatorNames = EvaluatorName.allCases.map(\.rawValue)
  private static let modelTexts = ["a name or path"]

  private static let milliseconds: @Sendable (String) -> Double? = { text in
    Double(text.hasSuffix("ms") ? String(text.dropLast(2)) : text)
      .flatMap { (0.01...3_600_000).contains($0) ? $0 : nil }
  }

  private static let nonempty: @Sendable (String) -> String? = { $0.isEmpty ? nil : $0 }

  /// A number without a fraction of zero.
  private static let shortText: @Sendable (Double) -> String = {
    $0 == $0.rounded() && $0 < 1e15 ? "\(Int($0))" : "\($0)"
  }

  /// A number of bytes in the largest unit that divides it.
  static let sizeText: @Sendable (Int) -> String = { bytes in
    for (shift, unit) in [(30, "G"), (20, "M"), (10, "K")] {
      if bytes > 0, bytes % (1 << shift) == 0 { return "\(bytes >> shift)\(unit)" }
    }
    return "\(bytes)"
  }
}

extension SearchDepth {
  /// Reads a depth; nil if the text is not a number of plies in ``range`` or `auto`.
  package init?(_ text: String) {
    if text == "auto" {
      self = .auto
    } else if let plies = Count.read(text, in: SearchDepth.range) {
      self = .plies(plies)
    } else {
      return nil
    }
  }
}

extension DepthLimits {
  /// Reads limits such as `6:3/10:2`; nil if the text is something else, or limits the same boards twice.
  init?(_ text: String) {
    self = .none
    var seen: Set<Int> = []
    for limit in text.split(separator: "/", omittingEmptySubsequences: false) {
      let numbers = limit.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard numbers.count == 2, let cells = Count.read(numbers[0], in: 0...Board.cellCount),
        let plies = Count.read(numbers[1], in: SearchDepth.range), seen.insert(cells).inserted
      else { return nil }
      add(plies: plies, fromEmptyCells: cells)
    }
  }
}
