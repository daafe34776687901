import Basics
import Foundation
import Search
import Training

/// A builder of a plan from a file.
///
/// All problems are reported together, as for configurations.
package struct SweepPlanReader {
  private static let keys = [
    "description", "base", "settings", "grid", "variants", "seeds", "budget", "rungs", "evaluation",
    "keepWeights",
  ]
  /// The configuration keys that the plan determines for all variants.
  private static let decidedKeys = [
    "seed": "seeds", "episodes": "budget", "limit.moves": "budget", "limit.seconds": "budget",
  ]

  private let name: String
  private let defaults: TrainingConfiguration
  private let readFile: (String) throws -> Data?
  private var problems = ProblemList()
  private var plan = SweepPlan()

  /// Reads a plan.
  ///
  /// - Parameters:
  ///   - name: the path of the plan for messages.
  ///   - defaults: the configuration that the base starts from.
  ///   - readFile: returns the content of the configuration that `base` names; nil if there is none.
  /// - Throws: ``ConfigurationError`` with every problem, or the error of `readFile`.
  package static func plan(
    _ data: Data, name: String, defaults: TrainingConfiguration = TrainingConfiguration(),
    readFile: @escaping (String) throws -> Data?
  ) throws -> SweepPlan {
    var reader = SweepPlanReader(name: name, defaults: defaults, readFile: readFile)
    guard case .object(let members) = try JSONValue(document: data, name: name) else {
      throw ConfigurationError(problems: [
        "\(name): a plan is a JSON object, such as {\"base\": \"Configs/quick.json\", "
          + "\"grid\": {\"learning.lambda\": [0.4, 0.5]}, \"budget\": {\"seconds\": 10}}."
      ])
    }
    try reader.read(members)
    guard reader.problems.isEmpty else { throw ConfigurationError(problems: reader.problems.lines) }
    return reader.plan
  }

  private init(
    name: String, defaults: TrainingConfiguration, readFile: @escaping (String) throws -> Data?
  ) {
    self.name = name
    self.defaults = defaults
    self.readFile = readFile
  }

  private mutating func refuse(_ place: String, _ value: JSONValue, _ allowed: String) {
    problems.append("\(name): \(place) = \(value.text) is not allowed. Use \(allowed).")
  }

  /// Returns whether a count is within its limit; adds a problem if it is not.
  private mutating func isWithin(_ limit: InputLimit, _ count: Int) -> Bool {
    if limit.allows(count) { return true }
    problems.append(
      "\(name): exceeds the limit for \(limit.subject): \(limit.words). Divide the plan into several."
    )
    return false
  }

  /// Sets a property to the value of a member, if there is one; adds a problem if `convert` returns nil.
  private mutating func set<Value>(
    _ property: WritableKeyPath<SweepPlan, Value>, to value: JSONValue?, at place: String,
    _ allowed: String, _ convert: (JSONValue) -> Value?
  ) {
    guard let value else { return }
    guard let converted = convert(value) else { return refuse(place, value, allowed) }
    plan[keyPath: property] = converted
  }

  private mutating func refuseUnknownKeys(
    _ members: [String: JSONValue], in place: String, known: [String]
  ) {
    for key in members.keys.sorted() where !known.contains(key) {
      problems.append("\(name): unknown key '\(place)\(key)'.\(suggestion(for: key, in: known))")
    }
  }

  private mutating func read(_ members: [String: JSONValue]) throws {
    refuseUnknownKeys(members, in: "", known: SweepPlanReader.keys)
    set(\.description, to: members["description"], at: "description", "a string", \.string)
    set(\.keepsWeights, to: members["keepWeights"], at: "keepWeights", "true or false") {
      if case .bool(let keeps) = $0 { keeps } else { nil }
    }
    set(
      \.seeds, to: members["seeds"], at: "seeds",
      "a number of seeds from 1 to \(InputLimit.seeds.most), or a list of up to \(InputLimit.seeds.most) "
        + "different whole numbers",
      SweepPlanReader.seeds)
    readBudgets(members["budget"], members["rungs"])
    if let value = members["evaluation"] { readEvaluation(value) }
    try readVariants(members)
  }

  // MARK: Seeds, budgets, evaluation

  private static func seeds(_ value: JSONValue) -> [Int]? {
    if let count = value.wholeNumber, count > 0, InputLimit.seeds.allows(count) {
      return Array(1...count)
    }
    let elements = value.array ?? []
    let seeds = elements.compactMap(\.wholeNumber).filter { $0 >= 0 }
    let isValid =
      !seeds.isEmpty && seeds.count == elements.count && InputLimit.seeds.allows(seeds.count)
    return isValid && Set(seeds).count == seeds.count ? seeds : nil
  }

  /// Returns the budget that `members` name; nil with a problem unless there is exactly one.
  private mutating func budget(_ members: [String: JSONValue], place: String) -> SweepBudget? {
    let named = SweepBudget.Quantity.allCases.compactMap { unit in
      members[unit.rawValue].map { (unit, $0) }
    }
    guard let (unit, value) = named.first, named.count == 1 else {
      problems.append("\(name): \(place) requires exactly one of seconds, moves and episodes.")
      return nil
    }
    let whole = value.wholeNumber.flatMap {
      $0 > 0 && $0 <= 1_000_000_000_000_000 ? Double($0) : nil
    }
    let seconds = value.double.flatMap { $0 > 0 && $0 <= 1e9 ? $0 : nil }
    guard let amount = unit == .seconds ? seconds : whole else {
      refuse(
        "\(place).\(unit.rawValue)", value,
        unit == .seconds ? "a number above 0 and at most 1e9" : "a whole number from 1 to 1e15")
      return nil
    }
    return SweepBudget(amount, unit)
  }

  private mutating func readBudgets(_ budgetValue: JSONValue?, _ rungsValue: JSONValue?) {
    let units = SweepBudget.Quantity.allCases.map(\.rawValue)
    guard let budgetValue else {
      problems.append(
        "\(name): budget is missing. Set the budget of a trial, such as {\"seconds\": 10}.")
      return
    }
    guard case .object(let members) = budgetValue else {
      refuse("budget", budgetValue, "an object such as {\"seconds\": 10}")
      return
    }
    refuseUnknownKeys(members, in: "budget.", known: units)
    guard let budget = budget(members, place: "budget") else { return }
    plan.budget = budget

    guard let rungsValue else { return }
    guard case .array(let elements) = rungsValue else {
      refuse("rungs", rungsValue, "a list such as [{\"\(budget.unit)\": 5, \"keep\": 0.5}]")
      return
    }
    guard isWithin(.rungs, elements.count) else { return }
    for (index, element) in elements.enumerated() {
      let place = "rungs[\(index)]"
      guard case .object(let members) = element else {
        refuse(place, element, "an object such as {\"\(budget.unit)\": 5, \"keep\": 0.5}")
        continue
      }
      refuseUnknownKeys(members, in: place + ".", known: units + ["keep"])
      let share = members["keep"]?.double.flatMap { $0 > 0 && $0 < 1 ? $0 : nil }
      if share == nil {
        refuse("\(place).keep", members["keep"] ?? .null, "a share above 0 and below 1")
      }
      guard let rung = self.budget(members, place: place), let share else { continue }
      if rung.unit != budget.unit || rung.amount >= budget.amount
        || rung.amount <= plan.rungs.last?.budget.amount ?? 0
      {
        problems.append(
          "\(name): \(place) is not allowed. Use \(budget.unit), above the rung before and below the budget."
        )
      }
      plan.rungs.append(SweepPlan.Rung(budget: rung, keep: share))
    }
  }

  private mutating func readEvaluation(_ value: JSONValue) {
    guard case .object(let members) = value else {
      refuse("evaluation", value, "an object such as {\"games\": 1000, \"seed\": 1}")
      return
    }
    refuseUnknownKeys(members, in: "evaluation.", known: ["games", "depth", "seed"])
    set(
      \.evaluationGames, to: members["games"], at: "evaluation.games",
      "a whole number from 1 to 1000000", SweepPlanReader.wholeNumber(in: 1...1_000_000))
    let depths = SearchDepth.range
    set(
      \.evaluationDepth, to: members["depth"], at: "evaluation.depth",
      "a whole number from \(depths.lowerBound) to \(depths.upperBound)",
      SweepPlanReader.wholeNumber(in: depths))
    set(
      \.evaluationSeed, to: members["seed"], at: "evaluation.seed",
      "a whole number of at least 0", SweepPlanReader.wholeNumber(in: 0...Int.max))
  }

  private static func wholeNumber(in range: ClosedRange<Int>) -> (JSONValue) -> Int? {
    { value in value.wholeNumber.flatMap { range.contains($0) ? $0 : nil } }
  }

  // MARK: Variants

  private mutating func readVariants(_ members: [String: JSONValue]) throws {
    var base = ConfigurationReader(base: defaults)
    switch members["base"] {
    case .string(let path)?:
      guard let data = try readFile(path) else {
        problems.append("\(name): base: no configuration at \(path). Check the path.")
        return
      }
      do {
        plan.base = try JSONValue(document: data, name: path)
      } catch {
        problems.append(contentsOf: error.problems)
        return
      }
      base.read(plan.base, name: path)
    case let value?:
      plan.base = value
      base.read(value, name: "\(name): base")
    case nil: break
    }
    if let value = members["settings"] {
      plan.settings = value
      refuseDecidedKeys(value, in: "settings")
      base.read(value, name: "\(name): settings")
    }
    // The plan is saved with the default of the machine on which it started.
    if case .object(var document) = plan.base {
      if document["threads"] == nil { document["threads"] = .integer(defaults.threads) }
      plan.base = .object(document)
    }

    // Before the variants, so that problems of one with the budget are its own.
    if plan.budget.amount > 0 {
      base.clearLength()
      base.set(plan.budget.key, to: .number(plan.budget.amount), option: "\(name): budget")
    }

    let points = listedVariants(members["variants"]) + gridVariants(members["grid"])
    let all = points.isEmpty ? [(name: "base", settings: JSONValue.object([:]))] : points
    for repeated in Dictionary(grouping: all, by: \.name).filter({ $1.count > 1 }).keys.sorted() {
      problems.append("\(name): several variants are named \"\(repeated)\". Use different names.")
    }
    for point in all {
      var reader = base
      let place = points.isEmpty ? name : "\(name): variant \"\(point.name)\""
      refuseDecidedKeys(point.settings, in: "variant \"\(point.name)\"")
      reader.read(point.settings, name: place)
      do {
        plan.variants.append(
          SweepPlan.Variant(
            name: point.name, settings: point.settings,
            configuration: try reader.finished(name: name)))
      } catch {
        // A problem of the base is one of every variant, but is reported once.
        problems.append(contentsOf: error.problems)
      }
    }
  }

  private mutating func refuseDecidedKeys(_ settings: JSONValue, in place: String) {
    for (key, decider) in SweepPlanReader.decidedKeys.sorted(by: { $0.key < $1.key })
    where settings.has(key) {
      problems.append(
        "\(name): \(place) sets \(key), which must be the same for all variants. Set \(decider) instead."
      )
    }
  }

  private mutating func listedVariants(
    _ value: JSONValue?
  ) -> [(name: String, settings: JSONValue)] {
    guard let value else { return [] }
    guard case .array(let elements) = value else {
      refuse(
        "variants", value, "a list such as [{\"name\": \"a\", \"settings\": {\"threads\": 1}}]")
      return []
    }
    guard isWithin(.variants, elements.count) else { return [] }
    var variants: [(name: String, settings: JSONValue)] = []
    for (index, element) in elements.enumerated() {
      guard case .object(let members) = element, case .string(let text)? = members["name"],
        !text.isEmpty
      else {
        refuse("variants[\(index)]", element, "an object with a name and settings")
        continue
      }
      refuseUnknownKeys(members, in: "variants[\(index)].", known: ["name", "settings"])
      variants.append((name: text, settings: members["settings"] ?? .object([:])))
    }
    return variants
  }

  private mutating func gridVariants(
    _ value: JSONValue?
  ) -> [(name: String, settings: JSONValue)] {
    guard let value else { return [] }
    guard case .object(let members) = value else {
      refuse("grid", value, "an object such as {\"learning.lambda\": [0.4, 0.5, 0.6]}")
      return []
    }
    var values: [String: [JSONValue]] = [:]
    for (key, list) in members.sorted(by: { $0.key < $1.key }) {
      if case .array(let elements) = list, !elements.isEmpty {
        values[key] = elements
      } else {
        refuse("grid.\(key)", list, "a list of values of a configuration key")
      }
    }
    if values.isEmpty || !isWithinLimits(values) { return [] }
    return SweepPlanReader.combinations(of: values)
  }

  /// Returns whether the variants of a grid can be listed; adds a problem if they are too many or too long.
  private mutating func isWithinLimits(_ values: [String: [JSONValue]]) -> Bool {
    var count = 1
    for list in values.values {
      let (product, overflow) = count.multipliedReportingOverflow(by: list.count)
      count = product
      guard isWithin(.variants, overflow ? .max : count) else { return false }
    }
    let bytes = values.reduce(0) { sum, entry in
      let texts = entry.value.reduce(0) { $0 + entry.key.utf8.count + $1.text.utf8.count }
      return sum + count / entry.value.count * texts
    }
    return isWithin(.grid, bytes)
  }

  /// Returns the settings of every combination, with a name such as `batchSize=64, lambda=0.5`.
  ///
  /// Keys are in alphabetical order, and the last one varies fastest.
  private static func combinations(
    of values: [String: [JSONValue]]
  ) -> [(name: String, settings: JSONValue)] {
    let keys = values.keys.sorted()
    func last(_ key: String) -> Substring { key.split(separator: ".").last ?? "" }
    var points: [(names: [String], settings: [String: JSONValue])] = [([], [:])]
    for key in keys {
      // The whole key if another one has the same last part.
      let name = keys.count { last($0) == last(key) } > 1 ? key : String(last(key))
      points = points.flatMap { point in
        values[key, default: []].map { value in
          (
            names: point.names + ["\(name)=\(value.string ?? value.text)"],
            settings: point.settings.merging([key: value]) { $1 }
          )
        }
      }
    }
    return points.map { ($0.names.joined(separator: ", "), .object($0.settings)) }
  }
}

extension JSONValue {
  /// Returns whether the object has a member with this path, dotted or nested.
  fileprivate func has(_ path: String) -> Bool {
    guard case .object(let members) = self else { return false }
    if members[path] != nil { return true }
    guard let dot = path.firstIndex(of: ".") else { return false }
    return members[String(path[..<dot])]?.has(String(path[path.index(after: dot)...])) ?? false
  }
}
