import Foundation
import TestSupport
import Testing

@testable import Experiments
@testable import Training

@Suite struct SweepPlanTests {
  private static let base = #"{"network": {"patterns": ["012"]}}"#

  private func read(_ text: String, files: [String: String] = [:]) throws -> SweepPlan {
    try SweepPlanReader.plan(
      Data(text.utf8), name: "plan.json", readFile: { files[$0].map { Data($0.utf8) } })
  }

  /// A file of the repository.
  private func file(_ path: String) throws -> Data {
    return try Data(contentsOf: Repository.file(path))
  }

  private func problems(_ text: String) -> [String] {
    do {
      _ = try read(text)
      return []
    } catch {
      return (error as? ConfigurationError)?.problems ?? ["\(error)"]
    }
  }

  @Test func aGridIsEveryCombinationWithTheLastKeyFastest() throws {
    let plan = try read(
      """
      {"base": \(SweepPlanTests.base), "budget": {"moves": 1e4},
       "grid": {"learning.lambda": [0.4, 0.5], "learning.batchSize": [1, 64, 256]}}
      """)
    #expect(
      plan.variants.map(\.name) == [
        "batchSize=1, lambda=0.4", "batchSize=1, lambda=0.5", "batchSize=64, lambda=0.4",
        "batchSize=64, lambda=0.5", "batchSize=256, lambda=0.4", "batchSize=256, lambda=0.5",
      ])
    #expect(plan.variants.map(\.configuration.batchSize) == [1, 1, 64, 64, 256, 256])
    #expect(plan.variants.map(\.configuration.lambda) == [0.4, 0.5, 0.4, 0.5, 0.4, 0.5])
    #expect(plan.seeds == [1, 2, 3])
    #expect(plan.budget == SweepBudget(10_000, .moves))
    #expect(SweepReport(plan, []).trialsTotal == 6 * 3)
  }

  @Test func keysThatEndAlikeAreNamedInFull() throws {
    let plan = try read(
      """
      {"base": \(SweepPlanTests.base), "budget": {"moves": 1},
       "grid": {"report.everyEpisodes": [5], "checkpoint.everyEpisodes": [7]}}
      """)
    #expect(plan.variants.map(\.name) == ["checkpoint.everyEpisodes=7, report.everyEpisodes=5"])
  }

  @Test func sharesOfVariantsAreRoundedUp() {
    let cases = [(0.5, 3, 2), (0.4, 2, 1), (0.01, 5, 1), (0.28, 25, 7), (0.07, 100, 7)]
    for (share, count, kept) in cases {
      #expect(SweepPlan.kept(share, of: count) == kept, "\(share) of \(count)")
    }
  }

  @Test func variantsSetTheirKeysOnTopOfABaseFromAFile() throws {
    let text = """
      {"base": "b.json", "settings": {"learning.returns": "lambda"}, "budget": {"seconds": 2.5},
       "variants": [{"name": "td"}, {"name": "tc", "settings": {"learning": {"method": "tc"}}}],
       "grid": {"threads": [2]}, "seeds": [7, 9], "keepWeights": true,
       "rungs": [{"seconds": 0.5, "keep": 0.5}, {"seconds": 1, "keep": 0.4}],
       "evaluation": {"games": 10, "depth": 3, "seed": 3}, "description": "?"}
      """
    let plan = try read(
      text, files: ["b.json": #"{"seed": 4, "network": {"patterns": ["012"]}}"#])
    #expect(plan.variants.map(\.name) == ["td", "tc", "threads=2"])
    #expect(plan.variants.map(\.configuration.returns) == [.lambda, .lambda, .lambda])
    #expect(plan.variants.map(\.configuration.threads) == [1, 1, 2])
    // The usual learning rate of a method follows the method of the variant.
    #expect(plan.variants.map { $0.configuration.learningRate.value(at: 0) } == [0.1, 1, 0.1])
    #expect(SweepReport(plan, []).trialsTotal == (3 + 2 + 1) * 2)
    #expect(plan.seeds == [7, 9])
    #expect(plan.evaluationDepth == 3)

    let trial = plan.configuration(of: plan.variants[1], seed: 9)
    #expect(trial.length == RunLength(seconds: 2.5))
    #expect(trial.seed == 9)
    // What is written down reads as the same plan, without the file.
    let copy = try SweepPlanReader.plan(
      try JSONEncoder().encode(plan.json), name: "copy", readFile: { _ in nil })
    #expect(copy == plan)
  }

  @Test func aPlanKeepsTheThreadsOfTheMachineThatItBeganOn() throws {
    var defaults = TrainingConfiguration()
    defaults.threads = 3
    for (base, threads) in [
      (SweepPlanTests.base, 3), (#"{"threads": 2, "network": {"patterns": ["012"]}}"#, 2),
    ] {
      let plan = try SweepPlanReader.plan(
        Data("{\"base\": \(base), \"budget\": {\"moves\": 1}}".utf8), name: "plan.json",
        defaults: defaults, readFile: { _ in nil })
      #expect(plan.variants.map(\.configuration.threads) == [threads])
      // What is written down reads as the same plan where the defaults are others.
      let written = try JSONEncoder().encode(plan.json)
      #expect(String(decoding: written, as: UTF8.self).contains("\"threads\":\(threads)"))
      let copy = try SweepPlanReader.plan(written, name: "copy", readFile: { _ in nil })
      #expect(copy == plan)
    }
  }

  @Test func withoutVariantsTheBaseIsMeasured() throws {
    let plan = try read("{\"base\": \(SweepPlanTests.base), \"budget\": {\"episodes\": 5}}")
    #expect(plan.variants.map(\.name) == ["base"])
    #expect(plan.configuration(of: plan.variants[0], seed: 1).length == RunLength(episodes: 5))
  }

  @Test func theExampleThatShipsCanBeRead() throws {
    let plan = try SweepPlanReader.plan(
      try file("Configs/Sweeps/lambda.json"), name: "example", readFile: file)
    #expect(plan.variants.map(\.configuration.lambda) == [0.5, 0.4, 0.6, 0.7])
    #expect(plan.variants.allSatisfy { $0.configuration.methods == [.tc] })
  }

  @Test func everyPlanThatShipsCanBeRead() throws {
    let plans = try FileManager.default.contentsOfDirectory(
      atPath: Repository.file("Configs/Sweeps").path)
    #expect(plans.count >= 3)
    for plan in plans {
      #expect(throws: Never.self) {
        try SweepPlanReader.plan(
          try file("Configs/Sweeps/\(plan)"), name: plan, readFile: file)
      }
    }
  }

  @Test func theExampleOfTheDocumentationCanBeRead() throws {
    let text = String(decoding: try file("Docs/Tasks/Sweep.md"), as: UTF8.self)
    let block = try #require(text.components(separatedBy: "```json\n").dropFirst().first)
    let example = try #require(block.components(separatedBy: "```").first)
    let plan = try SweepPlanReader.plan(Data(example.utf8), name: "example", readFile: file)
    #expect(plan.variants.count == 5 && plan.rungs.count == 1)
  }

  @Test func aBudgetThatAConfigurationCannotHaveIsRefused() {
    let network =
      "{\"network\": {\"patterns\": [\"0\"]}, \"learning\": {\"mode\": \"synchronous\"}}"
    #expect(
      problems("{\"base\": \(network), \"budget\": {\"seconds\": 5}}")
        .contains { $0.contains("limit.seconds") })
    #expect(problems("{\"base\": \(network), \"budget\": {\"moves\": 5}}").isEmpty)
    #expect(
      problems(
        "{\"base\": {\"network\": {\"patterns\": [\"0\"]}}, \"budget\": {\"moves\": 9223372036854775807}}"
      )
      .contains { $0.contains("budget.moves") })
  }

  @Test func problemsOfKeyCombinationsNameTheirPlace() {
    func place(base: String, budget: String, settings: String) -> [String] {
      let variants = ##"[{"name": "good"}, {"name": "bad", "settings": {\##(settings)}}]"##
      return problems(
        """
        {"base": {"network": {"patterns": ["0"]}, \(base)}, "budget": {\(budget)},
         "variants": \(variants)}
        """)
    }
    let moves = #""moves": 100"#
    let synchronous = #""learning.mode": "synchronous""#
    let shared = "learning.roundMoves = 100 cannot be shared by learning.lanes = 8"
    let alone = "learning.mode = synchronous and limit.seconds do not go together"
    let cases: [(base: String, budget: String, settings: String, start: String)] = [
      (
        #""threads": 1"#, moves, synchronous + #", "learning.roundMoves": 100"#,
        #"plan.json: variant "bad": "# + shared
      ),
      // Either part of a combination may be the variant's.
      (
        #""learning.roundMoves": 100"#, moves, synchronous, #"plan.json: variant "bad": "# + shared
      ),
      (
        #""threads": 1"#, #""seconds": 1"#, synchronous, #"plan.json: variant "bad": "# + alone
      ),
      // What is wrong in all variants is reported once.
      (
        synchronous + #", "learning.roundMoves": 100"#, moves, #""threads": 2"#,
        "plan.json: base: " + shared
      ),
      (synchronous, #""seconds": 1"#, #""threads": 2"#, "plan.json: budget: " + alone),
    ]
    for (base, budget, settings, start) in cases {
      let found = place(base: base, budget: budget, settings: settings)
      #expect(found.count == 1 && found[0].hasPrefix(start), "\(found)")
    }
  }

  @Test func allErrorsAreReportedTogether() {
    let found = problems(
      """
      {"base": {"network": {"patterns": ["0"]}, "threads": 0}, "sedes": 3, "seeds": [1, 1],
       "description": 4, "keepWeights": "yes", "budget": {"moves": 100},
       "rungs": [{"moves": 200, "keep": 0.5}, {"seconds": 5, "keep": 2}, 7],
       "evaluation": {"games": 0, "depth": 9, "sed": 1},
       "variants": [{"name": "a"}, {"name": "a", "settings": {"lerning": 1}}, {"settings": {}},
         {"name": "b", "settings": {"seed": 3, "limit": {"seconds": 4}}}],
       "grid": {"learning.lambda": 0.5, "learning.method": []}}
      """)
    let expected = [
      "plan.json: description = 4 is not allowed. Use a string",
      "plan.json: evaluation.depth = 9 is not allowed. Use a whole number from 1 to 8",
      "plan.json: evaluation.games = 0 is not allowed. Use a whole number from 1 to 1000000",
      "plan.json: unknown key 'evaluation.sed'. Did you mean 'evaluation.seed'?",
      "plan.json: keepWeights = \"yes\" is not allowed. Use true or false",
      "plan.json: unknown key 'sedes'. Did you mean 'seeds'?",
      "plan.json: seeds = [1,1] is not allowed. Use a number of seeds from 1 to 1000, or a list of up "
        + "to 1000 different whole numbers",
      "plan.json: rungs[0] is not allowed. Use moves, above the rung before and below the budget",
      "plan.json: rungs[1].keep = 2 is not allowed. Use a share above 0 and below 1",
      "plan.json: rungs[2] = 7 is not allowed. Use an object such as",
      "plan.json: variants[2] = {\"settings\":{}} is not allowed. Use an object with a name and "
        + "settings",
      "plan.json: grid.learning.lambda = 0.5 is not allowed. Use a list of values of a "
        + "configuration key",
      "plan.json: grid.learning.method = [] is not allowed. Use a list of values",
      "plan.json: several variants are named \"a\". ",
      "plan.json: base: threads = 0 is not allowed. Use a whole number from 1 to 1024",
      "plan.json: variant \"a\": unknown key 'lerning'. Did you mean 'learning'?",
      "plan.json: variant \"b\" sets limit.seconds, which must be the same for all variants. Set budget ",
      "plan.json: variant \"b\" sets seed, which must be the same for all variants. Set seeds ",
    ]
    #expect(found.count == expected.count, "\(found.joined(separator: "\n"))")
    for (problem, start) in zip(found, expected) {
      #expect(problem.hasPrefix(start), "\(problem)")
    }
  }

  @Test(arguments: [
    ("[]", "plan.json: a plan is a JSON object"),
    ("{", "plan.json: line 1, column 2: not valid JSON"),
    (#"{"base": {"network": {"patterns": ["012"]}}}"#, "plan.json: budget is missing"),
    (
      #"{"base": "x.json", "budget": {"moves": 1}}"#,
      "plan.json: base: no configuration at x"
    ),
    (
      #"{"base": {"network": {"patterns": ["012"]}}, "budget": {"moves": 1, "seconds": 1}}"#,
      "plan.json: budget requires exactly one of seconds, moves and episodes"
    ),
    (
      #"{"base": {"network": {"patterns": ["012"]}}, "budget": {"moves": 1.5}}"#,
      "plan.json: budget.moves = 1.5 is not allowed. Use a whole number from 1 to 1e15"
    ),
    (
      #"{"base": {"network": {"patterns": ["012"]}}, "budget": {"seconds": 0}}"#,
      "plan.json: budget.seconds = 0 is not allowed"
    ),
    (
      #"{"base": {"network": {"patterns": ["012"]}}, "budget": {"minutes": 1}}"#,
      "plan.json: unknown key 'budget.minutes'."
    ),
    (
      #"{"base": {"network": {"patterns": ["012"]}}, "budget": 7}"#,
      "plan.json: budget = 7 must be an object with budget.seconds, budget.moves, budget.episodes."
    ),
    (
      #"{"base": {"network": {"patterns": ["012"]}}, "budget": {"moves": 1}, "budget.moves": 2}"#,
      "plan.json: budget.moves is given twice, in an object and with a dot"
    ),
    (
      #"{"base": {"network": {"patterns": ["012"]}}, "budget": {"moves": 9}, "rungs": [{"moves": 2}]}"#,
      "plan.json: rungs[0].keep is missing. Set a share above 0 and below 1"
    ),
    (
      #"{"base": {"network": {"patterns": ["012"]}}, "budget": {"moves": 9}, "rungs": [{"kep": 2}]}"#,
      "plan.json: unknown key 'rungs[0].kep'. Did you mean 'keep'?"
    ),
    (
      #"{"base": {"network": {"patterns": ["012"]}}, "budget": {"moves": 9}, "variants": [{"name": ""}]}"#,
      "plan.json: variants[0].name = \"\" is not allowed. Use a name"
    ),
    (#"{"budget": {"moves": 1}}"#, "plan.json: network.patterns is missing"),
    (
      #"{"base": {"network": {"patterns": ["012"]}}, "settings": {"seed": 1}, "budget": {"moves": 1}}"#,
      "plan.json: settings sets seed"
    ),
  ])
  func oneError(text: String, start: String) {
    let found = problems(text)
    #expect(found.first?.hasPrefix(start) == true, "\(found)")
  }

  @Test func everyKeyHasADefaultThatCanBeReadAndALineInTheReference() throws {
    for key in SweepPlanKey.all {
      #expect(SweepPlanKey.referencePage.contains("| `\(key.path)` |"))
      // A default is one that can be read.
      guard let value = key.defaultValue else { continue }
      var draft = SweepPlanDraft()
      #expect(key.read(value, &draft) && key.write(draft) == value, "\(key.path)")
    }
    let plan = try read(
      ##"{"$schema": "sweep.schema.json", "base": \##(SweepPlanTests.base), "budget.moves": 5}"##)
    #expect(plan.budget == SweepBudget(5, .moves))
  }

  // Promise: Files from others do no harm
  @Test func aPlanHasALimitedNumberOfVariants() throws {
    func plan(keys: Int, values: Int) -> String {
      let keys = ConfigurationKey.all.prefix(keys).map(\.path)
      let list = (1...values).map(String.init).joined(separator: ",")
      let grid = keys.map { "\"\($0)\": [\(list)]" }.joined(separator: ",")
      return "{\"base\": \(SweepPlanTests.base), \"budget\": {\"moves\": 1}, \"grid\": {\(grid)}}"
    }
    let expected =
      "plan.json: exceeds the limit for a plan: 1,000 variants. Divide the plan into several."
    // 20^6 variants, and more than an integer can count.
    #expect(problems(plan(keys: 6, values: 20)) == [expected])
    #expect(problems(plan(keys: 30, values: 20)) == [expected])
    let thousand = """
      {"base": \(SweepPlanTests.base), "budget": {"moves": 1},
       "grid": {"threads": [\((1...1_000).map(String.init).joined(separator: ","))]}}
      """
    #expect(try read(thousand).variants.count == 1_000)
    let listed = (1...1_001).map { "{\"name\": \"\($0)\"}" }.joined(separator: ",")
    #expect(
      problems(
        "{\"base\": \(SweepPlanTests.base), \"budget\": {\"moves\": 1}, \"variants\": [\(listed)]}")
        == [expected])
  }

  @Test func aGridOfLongValuesIsRejected() {
    // 1,000 variants that each repeat 10 kB.
    let long = String(repeating: "x", count: 10_000)
    let threads = (1...1_000).map(String.init).joined(separator: ",")
    let found = problems(
      """
      {"base": \(SweepPlanTests.base), "budget": {"moves": 1},
       "grid": {"threads": [\(threads)], "description": ["\(long)"]}}
      """)
    #expect(found.count == 1 && found[0].contains("1 MiB"), "\(found)")
  }

  @Test func seedsAndRungsAreLimited() {
    let seeds = (1...1_001).map(String.init).joined(separator: ",")
    let rungs = (1...101).map { "{\"moves\": \($0), \"keep\": 0.9}" }.joined(separator: ",")
    let found = problems(
      """
      {"base": \(SweepPlanTests.base), "budget": {"moves": 1000}, "seeds": [\(seeds)],
       "rungs": [\(rungs)]}
      """)
    #expect(found.count == 2 && found[0].contains("up to 1000") && found[1].contains("100 rungs"))
  }
}
