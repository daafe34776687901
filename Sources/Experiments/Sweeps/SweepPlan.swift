import Basics
import Play
import Search
import Training

/// The plan of a sweep: configurations that train on equal budgets, with several seeds each.
package struct SweepPlan: Equatable, Sendable {
  /// A configuration that is compared.
  package struct Variant: Equatable, Sendable {
    package var name: String
    /// The settings on top of the base, as read.
    package var settings: JSONValue
    /// The configuration, except for the seed and the length.
    package var configuration: TrainingConfiguration
  }

  /// A part of the budget after which only the best variants continue, and the first one, with which they are
  /// compared.
  package struct Rung: Equatable, Sendable {
    /// The budget of the rung, counted from the beginning of a run.
    package var budget: SweepBudget
    /// The share of the variants that continue as the best, above 0 and below 1; at least one does.
    package var keep: Double
  }

  /// A description for readers.
  package var description = ""
  /// The configuration that all variants share, as read, and settings on top of it.
  package var base = JSONValue.object([:])
  package var settings = JSONValue.object([:])
  /// The variants. The others are compared with the first one.
  package var variants: [Variant] = []
  /// The training seeds of every variant.
  package var seeds = [1, 2, 3]
  /// The whole budget of every trial.
  package var budget = SweepBudget(0, .seconds)
  /// The rungs at which variants are dropped, in ascending order and below ``budget``.
  package var rungs: [Rung] = []
  /// The number of games of the evaluation after every trial.
  package var evaluationGames = 1_000
  /// The search depth of evaluations, in plies.
  package var evaluationDepth = 1
  /// The base seed of evaluations; see ``evaluationSeed(ofSeed:)``.
  package var evaluationSeed = 1
  /// Whether the weights of finished trials are kept.
  package var keepsWeights = false

  /// The budgets at which trials are evaluated: those of the rungs, and the whole budget.
  package var budgets: [SweepBudget] { rungs.map(\.budget) + [budget] }

  /// Returns the number of variants that a share keeps, rounded up.
  static func kept(_ share: Double, of count: Int) -> Int {
    // 0.28 of 25 is 7, and a little more as a binary fraction.
    max(1, Int((share * Double(count) - 1e-9).rounded(.up)))
  }

  /// Returns the configuration of a trial.
  ///
  /// Its length is the whole budget, so that schedules by the share of the run do not depend on rungs.
  func configuration(of variant: Variant, seed: Int) -> TrainingConfiguration {
    var configuration = variant.configuration
    let length = budget.length
    configuration.seed = seed
    configuration.episodes = length.episodes
    configuration.limitMoves = length.moves
    configuration.limitSeconds = length.seconds
    return configuration
  }

  /// Returns the player that evaluates the weights of a MODEL text.
  func evaluator(model: String?) -> PlayerSpecification {
    .learned(model: model, search: SearchSettings(depth: .plies(evaluationDepth)))
  }

  /// Returns the seed of the games that evaluate the trials with `seeds[index]`.
  ///
  /// It is the same for all variants, so that they meet the same luck. Every training seed has different
  /// games, since the luck of shared games would look like skill in all of them.
  func evaluationSeed(ofSeed index: Int) -> UInt64 { UInt64(evaluationSeed) &+ UInt64(index) }
}

extension SweepPlan {
  /// The plan as a self-contained JSON document, with the grid expanded and the seeds listed.
  package var json: JSONValue {
    .object([
      "description": .string(description),
      "base": base,
      "settings": settings,
      "variants": .array(
        variants.map { .object(["name": .string($0.name), "settings": $0.settings]) }),
      "seeds": .array(seeds.map { .integer($0) }),
      "budget": .object([budget.unit.rawValue: .number(budget.amount)]),
      "rungs": .array(
        rungs.map {
          .object([$0.budget.unit.rawValue: .number($0.budget.amount), "keep": .number($0.keep)])
        }),
      "evaluation": .object([
        "games": .integer(evaluationGames), "depth": .integer(evaluationDepth),
        "seed": .integer(evaluationSeed),
      ]),
      "keepWeights": .bool(keepsWeights),
    ])
  }
}

/// The budget of each trial of a sweep: a number of training seconds, moves or episodes.
package struct SweepBudget: Equatable, Sendable {
  /// The unit of a budget.
  package enum Quantity: String, CaseIterable, Sendable {
    case seconds, moves, episodes
  }

  package let amount: Double
  package let unit: Quantity

  package init(_ amount: Double, _ unit: Quantity) {
    self.amount = amount
    self.unit = unit
  }

  /// The configuration key that limits a run to the budget.
  var key: String { unit == .episodes ? "episodes" : "limit.\(unit.rawValue)" }

  /// The length of a run that uses the whole budget.
  package var length: RunLength {
    switch unit {
    case .seconds: RunLength(seconds: amount)
    case .moves: RunLength(moves: Int(amount))
    case .episodes: RunLength(episodes: Int(amount))
    }
  }
}
