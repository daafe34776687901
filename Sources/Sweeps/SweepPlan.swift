import Basics
import Configuration

/// What an experiment compares: configurations that train on equal budgets, with several seeds each.
package struct SweepPlan: Equatable, Sendable {
  /// One of the configurations that are compared.
  package struct Variant: Equatable, Sendable {
    package var name: String
    /// What it sets on top of the base, as read.
    package var settings: JSONValue
    /// What it trains with, but for the seed and the length.
    package var configuration: TrainingConfiguration
  }

  /// A part of the budget after which only the best variants go on.
  package struct Rung: Equatable, Sendable {
    /// Where the rung is, counted from the beginning of a run.
    package var budget: SweepBudget
    /// The share of the variants that go on, above 0 and below 1; at least one does.
    package var keep: Double
  }

  /// What the experiment is to find out; for people only.
  package var description = ""
  /// What all variants share, as read: a configuration, and settings on top of it.
  package var base = JSONValue.object([:])
  package var settings = JSONValue.object([:])
  /// The first is what the others are compared with.
  package var variants: [Variant] = []
  /// The seeds that every variant trains with.
  package var seeds = [1, 2, 3]
  /// What every trial may use in all.
  package var budget = SweepBudget(0, .seconds)
  /// Where variants drop out, in ascending order, before ``budget``.
  package var rungs: [Rung] = []
  /// Games of the evaluation after every trial.
  package var evaluationGames = 1_000
  /// The plies that the player of the evaluations looks ahead.
  package var evaluationDepth = 1
  /// Decides the games of the evaluations; see ``evaluationSeed(ofSeed:)``.
  package var evaluationSeed = 1
  /// Whether the weights of trials that are done stay on the disk.
  package var keepsWeights = false

  /// The budgets at which trials are evaluated: the rungs', and the whole.
  package var budgets: [SweepBudget] { rungs.map(\.budget) + [budget] }

  /// How many variants train on each of ``budgets``.
  package var variantCounts: [Int] {
    rungs.reduce(into: [variants.count]) { $0.append(SweepPlan.kept($1.keep, of: $0.last!)) }
  }

  /// The number of variants that a share leaves, rounded up.
  static func kept(_ share: Double, of count: Int) -> Int {
    // 0.28 of 25 is 7, and a little more as a binary fraction.
    max(1, Int((share * Double(count) - 1e-9).rounded(.up)))
  }

  /// The configuration of a trial.
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

  /// The seed of the games that evaluate the trials with `seeds[index]`.
  ///
  /// It is the same for all variants, which meet the same luck; but every training seed has games of its
  /// own, or else what is luck of the games would look like skill in all of them.
  func evaluationSeed(ofSeed index: Int) -> UInt64 { UInt64(evaluationSeed) &+ UInt64(index) }
}

extension SweepPlan {
  /// The plan as a document that reads as the same plan and needs no other file, with the grid expanded
  /// and the seeds listed.
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
