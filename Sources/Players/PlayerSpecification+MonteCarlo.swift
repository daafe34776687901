import Evaluators
import Game2048
import NTupleNetwork
import Search

extension MonteCarloSettings {
  /// The options of a `montecarlo` text.
  static let keys = [
    "simulations", "depth", "evaluator", "model", "policy", "tries", "adaptive", "threads",
  ]

  /// Reads the options of a `montecarlo` text.
  init(_ options: PlayerOptions) throws(PlayerSpecificationError) {
    self.init()
    simulations = try options.integer(
      "simulations", in: MonteCarloSettings.simulationRange, default: simulations)
    policy = try options.choice("policy", default: policy)
    illegalTries = try options.integer(
      "tries", in: MonteCarloSettings.illegalTryRange, default: illegalTries)
    isAdaptive = try options.flag("adaptive", default: isAdaptive)
    threads = try options.integer("threads", in: MonteCarloSettings.threadRange, default: threads)
    horizon = try MonteCarloSettings.horizon(options)
    if illegalTries > 0, policy != .random {
      throw .conflict("tries goes with policy=random only", player: options.player)
    }
  }

  private static func horizon(_ options: PlayerOptions) throws(PlayerSpecificationError) -> Horizon
  {
    let depth = try options.text("depth")
    let model = try options.text("model")
    let evaluator = try options.text("evaluator")
    if evaluator != nil, model != nil {
      throw .conflict("evaluator and model exclude each other", player: options.player)
    }
    let isLeafNamed = evaluator != nil || model != nil
    if depth == "end" || depth == nil && !isLeafNamed {
      if isLeafNamed {
        throw .conflict(
          "games simulated to their end need no evaluator or model: name a depth in plies",
          player: options.player)
      }
      return .end
    }
    let plies = try options.integer(
      "depth", in: plyRange, default: defaultPlies, orElse: "end")
    if let model { return .plies(plies, .model(model)) }
    return .plies(plies, .evaluator(try options.evaluator(default: defaultEvaluator)))
  }
}

extension MonteCarloSettings: CustomStringConvertible {
  /// The `montecarlo` text that reads as these settings, without most defaults.
  public var description: String {
    let defaults = MonteCarloSettings()
    var options = ["simulations=\(simulations)"]
    switch horizon {
    case .end: break
    case .plies(let plies, .evaluator(let name)):
      options += ["depth=\(plies)", "evaluator=\(name.rawValue)"]
    case .plies(let plies, .model(let name)): options += ["depth=\(plies)", "model=\(name)"]
    }
    if policy != defaults.policy { options.append("policy=\(policy.rawValue)") }
    if illegalTries != defaults.illegalTries { options.append("tries=\(illegalTries)") }
    if isAdaptive { options.append("adaptive=yes") }
    if threads != defaults.threads { options.append("threads=\(threads)") }
    return "montecarlo:" + options.joined(separator: ",")
  }
}

extension MonteCarloSettings {
  /// Loads the network that values leaves, if there is one, and returns a maker of players by seed.
  ///
  /// - Throws: what `loadModel` throws.
  func makeFactory(
    rules: Rules, loadModel: (String?) throws -> NTupleNetwork
  ) throws -> @Sendable (_ seed: UInt64) -> any Player {
    let maker = MonteCarloMaker(settings: self, rules: rules)
    return switch horizon {
    case .end: maker.visit(PointsAlone())
    case .plies(_, .evaluator(let name)): name.visit(maker)
    case .plies(_, .model(let name)): maker.visit(try loadModel(name))
    }
  }
}

/// Makes Monte Carlo players over any evaluator.
private struct MonteCarloMaker: EvaluatorVisitor {
  let settings: MonteCarloSettings
  let rules: Rules

  func visit(_ evaluator: some Evaluator) -> @Sendable (_ seed: UInt64) -> any Player {
    let (settings, rules, name) = (settings, rules, settings.description)
    return { seed in
      MonteCarloPlayer(
        name: name, evaluator: evaluator, settings: settings, rules: rules, seed: seed)
    }
  }
}
