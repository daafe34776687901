import Basics
import Game2048
import Play
import Search

extension WebInterface {
  /// The server: its model, and the players that the page offers.
  var description: ServerDescription {
    ServerDescription(
      model: modelName, boardSize: rules.size,
      players: offered.map { text in
        // Every offered text is valid, which a test holds.
        let player = try! PlayerSpecification(text)
        return ServerDescription.Player(
          player: text, label: label(of: player), valuesArePoints: player.valuesArePoints)
      })
  }

  /// The players that the page offers; requests may name others.
  private var offered: [String] {
    let endgame = endgame.map { "learned:time=10,endgame=\($0)" }
    return [
      "learned:depth=1", "learned:depth=2", "learned:depth=3", "learned:time=10",
      "learned:time=100",
    ] + (endgame.map { [$0] } ?? []) + [
      "heuristic:depth=3", "heuristic:time=10", "montecarlo", "rules", "greedy", "random",
    ]
  }

  /// Returns the label of an offered player, such as `Bundled model, 2 plies`.
  private func label(of player: PlayerSpecification) -> String {
    let name =
      switch player.kind {
      case .learned: player.endgame == nil ? modelName : "\(modelName) with tables"
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
  func analysis(_ query: Query) throws -> TimedAnalysis {
    let board = try query.board(rules)
    let specification = try specification(query.text("player"))
    let gameSeed = try query.optionalSeed()
    let moves = try query.optionalNumber("moves") ?? 0
    let began = ContinuousClock.now
    let (player, decision) = try decision(of: specification, on: board)
    let elapsed = began.duration(to: .now)
    let next = try gameSeed.flatMap { seed in
      try decision.best.map { try effect(of: $0, on: board, seed: seed, moves: moves) }
    }
    return TimedAnalysis(
      analysis: BoardAnalysis(of: board, decision), player: player,
      valuesArePoints: specification.valuesArePoints, milliseconds: elapsed / .milliseconds(1),
      next: next)
  }

  /// Returns the first letter of the best move, or `g` for "game over".
  func bestMove(_ query: Query) throws -> String {
    let board = try query.board(rules)
    let player = try specification(query.optionalText("player") ?? PlayerSpecification.usualText)
    let best = try decision(of: player, on: board).decision.best
    return best.map { String("\($0)".prefix(1)) } ?? "g"
  }

  /// Returns what a new player decides, and its name.
  private func decision(
    of specification: PlayerSpecification, on board: Board
  ) throws -> (player: String, decision: Decision) {
    var player: any Player
    do {
      player = try players.player(specification, seed: board.analysisSeed)
    } catch let error as LocatedError where error.kind == .insufficientMemory {
      throw RequestError(.serviceUnavailable, "\(error)")
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
        "the model of this server is '\(modelName)', not '\(model)'. Remove model=\(model), or serve that "
          + "model."
      )
    }
    // A request must not choose files of the server.
    if let directory = specification.tables {
      throw RequestError(
        "this server has no endgame tables for leaves. Remove tables=\(directory).")
    }
    if let directory = specification.endgame, directory != endgame {
      let state = endgame.map { "has the endgame tables of '\($0)'" }
      throw RequestError(
        "this server \(state ?? "plays without endgame tables"). Remove endgame=\(directory), or serve these tables."
      )
    }
    if let limit = WebInterface.playerLimits.first(where: { $0.isExceeded(specification) }) {
      throw RequestError("\(text): this server allows \(limit.words). Change \(limit.option.key).")
    }
    return specification
  }
}

extension WebInterface {
  /// The limits on what a player of a request may cost, so that all requests are answered soon.
  private static let playerLimits:
    [(
      option: PlayerOption, words: String, isExceeded: @Sendable (PlayerSpecification) -> Bool
    )] = [
      (.table, "a table of at most 256M", { ($0.search?.tableSize ?? 0) > 256 << 20 }),
      (.threads, "at most 16 threads", { $0.threads > 16 }),
      (
        .simulations, "at most 1000 simulations", { ($0.monteCarlo?.simulations ?? 0) > 1_000 }
      ),
      (.time, "at most 5000 ms", { ($0.milliseconds ?? 0) > 5_000 }),
      (.average, "at most 5000 ms", { ($0.search?.averageMilliseconds ?? 0) > 5_000 }),
      (
        .nodes, "at most 1e7 nodes, or a time",
        { $0.milliseconds == nil && ($0.search?.nodes ?? 0) > 10_000_000 }
      ),
      (
        .depth, "at most 4 plies, or a time",
        {
          guard let search = $0.search, !search.hasBudget, case .plies(let plies) = search.depth
          else { return false }
          return plies > 4
        }
      ),
      (
        .probability,
        "a probability of at least \(PlayerOption.autoProbability) with depth=auto",
        { $0.search?.depth == .auto && $0.search!.probability < PlayerOption.autoProbability }
      ),
    ]
}

// MARK: Documents

/// The server: its model, and the players that the page offers.
struct ServerDescription: Document {
  /// A player that the page offers.
  struct Player: Document {
    let player: String
    let label: String
    let valuesArePoints: Bool

    static let fields: [Field<Player>] = [
      Field("player", \.player, "The PLAYER text of a player that the page offers."),
      Field("label", \.label, "Its name on the page."),
      Field("valuesArePoints", \.valuesArePoints, "Whether its action values are expected points."),
    ]
  }

  let model: String
  let boardSize: Int
  let players: [Player]

  static let fields: [Field<ServerDescription>] = [
    Field("version", { _ in Version.current }, "The version of learn2048."),
    Field("model", \.model, "The name of the model."),
    Field("boardSize", \.boardSize, "The number of rows and of columns."),
    Field("players", \.players),
  ]
}

/// The analysis of a board, with its player and the time that it took.
struct TimedAnalysis: Document {
  let analysis: BoardAnalysis
  let player: String
  let valuesArePoints: Bool
  let milliseconds: Double
  let next: MoveEffect?

  static let fields: [Field<TimedAnalysis>] =
    BoardAnalysis.fields.map { $0.of(\.analysis, isListed: false) } + [
      Field("player", \.player, "The name of the player."),
      Field("valuesArePoints", \.valuesArePoints, "Whether the action values are expected points."),
      Field("milliseconds", \.milliseconds, unit: "ms", "The elapsed time."),
      Field(
        optional: "next", \.next,
        "With a seed: the answer of `/api/move` for the best move; missing without one.",
        isListed: false),
    ]
}
