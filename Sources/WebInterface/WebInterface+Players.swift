import Basics
import Players
import RandomSources
import Search

extension WebInterface {
  /// Who is there to ask.
  struct ServerDocument: Encodable {
    struct Player: Encodable {
      let player: String
      let label: String
    }
    let version: String
    let model: String
    let boardSize: Int
    let players: [Player]
  }

  /// A decision, and who made it in which time.
  struct AnalysisDocument: Encodable, Sendable {
    let decision: DecisionDocument
    let player: String
    let milliseconds: Double

    func encode(to encoder: any Encoder) throws {
      try decision.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(player, forKey: .player)
      try container.encode(milliseconds, forKey: .milliseconds)
    }

    private enum CodingKeys: String, CodingKey { case player, milliseconds }
  }

  var serverDocument: ServerDocument {
    ServerDocument(
      version: Version.current, model: content.modelName, boardSize: content.rules.size,
      players: WebInterface.offered.map { .init(player: $0.player, label: $0.label) })
  }

  /// The players that the page offers; others may be asked for all the same.
  private static let offered: [(player: String, label: String)] = [
    ("learned:depth=1", "model, 1 ply"),
    ("learned:depth=2", "model, 2 plies"),
    ("learned:depth=3", "model, 3 plies"),
    ("learned:time=10", "model, 10 ms a move"),
    ("learned:time=100", "model, 100 ms a move"),
    ("heuristic:depth=3", "heuristic, 3 plies"),
    ("heuristic:time=10", "heuristic, 10 ms a move"),
    ("montecarlo", "Monte Carlo"),
    ("rules", "rules"),
    ("greedy", "greedy"),
    ("random", "random"),
  ]

  /// What a player makes of a board.
  func analysis(_ query: Query) throws -> AnalysisDocument {
    let board = try query.board(content.rules)
    let specification = try specification(query.text("player"))
    let clock = ContinuousClock()
    let start = clock.now
    // A player that draws random numbers draws others on another board, and the same on the same.
    let seed = SplitMix64.mix(board.planes)
    var player = try specification.makePlayer(rules: content.rules, seed: seed) { _ in
      content.network
    }
    let decision = player.decide(on: board)
    return AnalysisDocument(
      decision: DecisionDocument(decision, on: board), player: player.name,
      milliseconds: (clock.now - start) / .milliseconds(1))
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
        "the model is \(content.modelName) here; leave model=\(model) out, or serve that one")
    }
    if let problem = specification.costProblem {
      throw RequestError("\(text): \(problem), so that others get their answers")
    }
    return specification
  }
}

extension PlayerSpecification {
  /// Why the player may take longer, or more memory, than a server should give; nil if it may not.
  fileprivate var costProblem: String? {
    if case .monteCarlo(let settings) = self {
      if settings.threads > 16 { return "at most 16 threads here" }
      return settings.simulations > 1_000 ? "at most 1000 simulations here" : nil
    }
    guard let search else { return nil }
    if search.tableSize > 256 << 20 { return "a table of at most 256M here" }
    if search.threads > 16 { return "at most 16 threads here" }
    if let milliseconds = search.milliseconds {
      return milliseconds > 5_000 ? "at most 5000 ms here" : nil
    }
    if let nodes = search.nodes { return nodes > 10_000_000 ? "at most 1e7 nodes here" : nil }
    switch search.depth {
    case .plies(let plies): return plies > 4 ? "at most 4 plies here, or a time" : nil
    case .auto:
      let least = SearchSettings.autoProbability
      return search.probability < least ? "a probability of at least \(least) here" : nil
    }
  }
}
