import Basics
import Game2048
import Players
import Search

extension WebInterface {
  /// The server: its model, and the players that the page offers.
  struct ServerDocument: Encodable {
    struct Player: Encodable {
      let player: String
      /// The name of the player in plain words.
      let label: String
      /// Whether the action values are expected points.
      let valuesArePoints: Bool
    }
    let version: String
    let model: String
    let boardSize: Int
    let players: [Player]
  }

  /// A decision, with its player, the time that it took, and the effect of the best move.
  struct AnalysisDocument: Encodable, Sendable {
    let decision: [String: JSONValue]
    let player: String
    let valuesArePoints: Bool
    let milliseconds: Double
    let next: MoveDocument?

    func encode(to encoder: any Encoder) throws {
      try decision.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(player, forKey: .player)
      try container.encode(valuesArePoints, forKey: .valuesArePoints)
      try container.encode(milliseconds, forKey: .milliseconds)
      try container.encodeIfPresent(next, forKey: .next)
    }

    private enum CodingKeys: String, CodingKey {
      case player, valuesArePoints, milliseconds, next
    }
  }

  var serverDocument: ServerDocument {
    ServerDocument(
      version: Version.current, model: content.modelName, boardSize: content.rules.size,
      players: WebInterface.offered.map { text in
        // Every offered text is valid, which a test holds.
        let player = try! PlayerSpecification(text)
        return .init(
          player: text, label: label(of: player), valuesArePoints: player.valuesArePoints)
      })
  }

  /// The players that the page offers; requests may name others.
  private static let offered = [
    "learned:depth=1", "learned:depth=2", "learned:depth=3", "learned:time=10", "learned:time=100",
    "heuristic:depth=3", "heuristic:time=10", "montecarlo", "rules", "greedy", "random",
  ]

  /// Returns the label of an offered player, such as `Bundled model, 2 plies`.
  private func label(of player: PlayerSpecification) -> String {
    let name =
      switch player.kind {
      case .learned: content.modelName
      case .heuristic, .expectimax: "Hand-tuned evaluator"
      case .monteCarlo: "Monte Carlo, random games to the end"
      case .rules: "Fixed rules"
      case .greedy: "Largest reward"
      case .random: "Random moves"
      }
    if let milliseconds = player.milliseconds { return "\(name), \(Int(milliseconds)) ms per move" }
    guard case .plies(let plies) = player.search?.depth else { return name }
    return "\(name), \(plies) \(plies == 1 ? "ply" : "plies")"
  }

  /// Evaluates the moves of a board with a player, and makes the best one if there is a seed.
  func analysis(_ query: Query) throws -> AnalysisDocument {
    let board = try query.board(content.rules)
    let specification = try specification(query.text("player"))
    let gameSeed = try query.optionalNumber("seed")
    let moves = try query.optionalNumber("moves") ?? 0
    let clock = ContinuousClock()
    let start = clock.now
    let (player, decision) = try decision(of: specification, on: board)
    let elapsed = clock.now - start
    let next = try gameSeed.flatMap { seed in
      try decision.best.map { try effect(of: $0, on: board, seed: seed, moves: moves) }
    }
    return AnalysisDocument(
      decision: decision.document(on: board), player: player,
      valuesArePoints: specification.valuesArePoints, milliseconds: elapsed / .milliseconds(1),
      next: next)
  }

  /// The player that ``bestMove(_:)`` asks by default.
  static let usualPlayer = "learned:depth=3"

  /// Returns the first letter of the best move, or `g` for "game over".
  func bestMove(_ query: Query) throws -> String {
    let board = try query.board(content.rules)
    let player = try specification(query.optionalText("player") ?? WebInterface.usualPlayer)
    let best = try decision(of: player, on: board).decision.best
    return best.map { String("\($0)".prefix(1)) } ?? "g"
  }

  /// Returns what a new player decides, and its name.
  private func decision(
    of specification: PlayerSpecification, on board: Board
  ) throws -> (player: String, decision: Decision) {
    var player = try specification.makePlayer(rules: content.rules, seed: board.analysisSeed) { _ in
      content.network
    }
    return (player.name, player.decide(on: board))
  }

  private func specification(_ text: String) throws(RequestError) -> PlayerSpecification {
    let specification: PlayerSpecification
    do {
      specification = try PlayerSpecification(text)
    } catch {
      throw RequestError("\(error)")
    }
    if let model = specification.models.compactMap({ $0 }).first {
      throw RequestError(
        "the model of this server is '\(content.modelName)', not '\(model)'. Remove model=\(model), or serve that "
          + "model."
      )
    }
    // A request must not choose files of the server.
    if let tables = specification.search?.tables {
      throw RequestError("this server plays without endgame tables. Remove tables=\(tables).")
    }
    if let limit = WebInterface.playerLimits.first(where: { $0.isExceeded(specification) }) {
      throw RequestError("\(text): this server allows \(limit.words). Change \(limit.option.key).")
    }
    return specification
  }
}

/// A limit on what a player may cost the server, so that all requests are answered soon.
package struct PlayerLimit: Sendable {
  /// The option that the limit is about.
  package let option: PlayerOption
  /// The limit, such as `at most 16 threads`.
  package let words: String
  let isExceeded: @Sendable (PlayerSpecification) -> Bool
}

extension WebInterface {
  /// The limits on the players of requests.
  package static let playerLimits = [
    PlayerLimit(option: .table, words: "a table of at most 256M") {
      ($0.search?.tableSize ?? 0) > 256 << 20
    },
    PlayerLimit(option: .threads, words: "at most 16 threads") { $0.threads > 16 },
    PlayerLimit(option: .simulations, words: "at most 1000 simulations") {
      ($0.monteCarlo?.simulations ?? 0) > 1_000
    },
    PlayerLimit(option: .time, words: "at most 5000 ms") { ($0.milliseconds ?? 0) > 5_000 },
    PlayerLimit(option: .average, words: "at most 5000 ms") {
      ($0.search?.averageMilliseconds ?? 0) > 5_000
    },
    PlayerLimit(option: .nodes, words: "at most 1e7 nodes, or a time") {
      $0.milliseconds == nil && ($0.search?.nodes ?? 0) > 10_000_000
    },
    PlayerLimit(option: .depth, words: "at most 4 plies, or a time") {
      guard let search = $0.search, !search.hasBudget, case .plies(let plies) = search.depth
      else { return false }
      return plies > 4
    },
    PlayerLimit(
      option: .probability,
      words: "a probability of at least \(PlayerOption.autoProbability) with depth=auto"
    ) {
      $0.search?.depth == .auto && $0.search!.probability < PlayerOption.autoProbability
    },
  ]
}
