import Basics
import Foundation
import Training

/// A builder of a plan from a file.
///
/// All problems are reported together, as for configurations.
package struct SweepPlanReader {
  /// The configuration keys that the plan determines for all variants.
  private static let decidedKeys = [
    "seed": "seeds", "episodes": "budget", "limit.moves": "budget", "limit.seconds": "budget",
  ]

  private let name: String
  private let defaults: TrainingConfiguration
  private let readFile: (String) throws -> Data?
  private var reader = DocumentReader(keys: SweepPlanKey.all)
  private var draft = SweepPlanDraft()

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
    var plan = SweepPlanReader(name: name, defaults: defaults, readFile: readFile)
    guard case .object(let members) = try JSONValue(document: data, name: name) else {
      throw ConfigurationError(problems: [
        "\(name): a plan is a JSON object, such as {\"base\": \"Configs/quick.json\", "
          + "\"grid\": {\"learning.lambda\": [0.4, 0.5]}, \"budget\": {\"seconds\": 10}}."
      ])
    }
    plan.reader.read(members, into: &plan.draft, name: name)
    plan.readBudgets()
    try plan.readVariants()
    let problems = plan.reader.problems
    guard problems.isEmpty else { throw ConfigurationError(problems: problems.lines) }
    return plan.draft.plan
  }

  private init(
    name: String, defaults: TrainingConfiguration, readFile: @escaping (String) throws -> Data?
  ) {
    (self.name, self.defaults, self.readFile) = (name, defaults, readFile)
  }

  private mutating func report(_ problem: @autoclosure () -> String) {
    reader.problems.append("\(name): \(problem())")
  }

  /// Returns whether a count is within its limit; adds a problem if it is not.
  private mutating func isWithin(_ limit: InputLimit, _ count: Int) -> Bool {
    if limit.allows(count) { return true }
    report(
      "exceeds the limit for \(limit.subject): \(limit.words). Divide the plan into several.")
    return false
  }

  /// Returns an element of a list, key by key; nil with a problem if it is not an object.
  private mutating func element<Draft>(
    _ value: JSONValue, of keys: [DocumentKey<Draft>], place: String, _ allowed: String,
    into draft: Draft
  ) -> (draft: Draft, isValid: Bool)? {
    guard let members = value.object else {
      report("\(place) = \(value.text) is not allowed. Use \(allowed).")
      return nil
    }
    var draft = draft
    var element = DocumentReader(keys: keys, place: place + ".")
    element.read(members, into: &draft, name: name)
    reader.problems.append(contentsOf: element.problems.lines)
    return (draft, element.refusedKeys.isEmpty)
  }

  // MARK: Budgets

  private mutating func readBudgets() {
    let isRead = reader.refusedKeys.allSatisfy { !$0.hasPrefix("budget.") }
    guard let budget = draft.budget.budget else {
      if draft.budget.isEmpty {
        if isRead {
          report("budget is missing. Set the budget of a trial, such as {\"seconds\": 10}.")
        }
      } else {
        report("budget requires exactly one of seconds, moves and episodes.")
      }
      return
    }
    draft.plan.budget = budget
    guard isWithin(.rungs, draft.rungs.count) else { return }
    for (index, value) in draft.rungs.enumerated() {
      let place = "rungs[\(index)]"
      let example = "an object such as {\"\(budget.unit)\": 5, \"keep\": 0.5}"
      guard
        let (rung, isValid) = element(
          value, of: DocumentKey.rung, place: place, example, into: BudgetDraft()), isValid
      else { continue }
      guard let keep = rung.keep, let amount = rung.budget else {
        report(
          rung.keep == nil
            ? "\(place).keep is missing. Set a share above 0 and below 1."
            : "\(place) requires exactly one of seconds, moves and episodes.")
        continue
      }
      if amount.unit != budget.unit || amount.amount >= budget.amount
        || amount.amount <= draft.plan.rungs.last?.budget.amount ?? 0
      {
        report(
          "\(place) is not allowed. Use \(budget.unit), above the rung before and below the budget."
        )
      }
      draft.plan.rungs.append(SweepPlan.Rung(budget: amount, keep: keep))
    }
  }

  // MARK: Variants

  private mutating func readVariants() throws {
    guard var base = try base() else { return }
    refuseDecidedKeys(draft.plan.settings, in: "settings")
    base.read(draft.plan.settings, name: "\(name): settings")
    // The plan is saved with the default of the machine on which it started.
    if case .object(var document) = draft.plan.base {
      if document["threads"] == nil { document["threads"] = .integer(defaults.threads) }
      draft.plan.base = .object(document)
    }

    // Before the variants, so that problems of one with the budget are its own.
    let budget = draft.plan.budget
    if budget.amount > 0 {
      base.clearLength()
      base.set(budget.key, to: .number(budget.amount), option: "\(name): budget")
    }

    let points = listedVariants() + gridVariants()
    let all = points.isEmpty ? [(name: "base", settings: JSONValue.object([:]))] : points
    for repeated in Dictionary(grouping: all, by: \.name).filter({ $1.count > 1 }).keys.sorted() {
      report("several variants are named \"\(repeated)\". Use different names.")
    }
    for point in all {
      var variant = base
      let place = points.isEmpty ? name : "\(name): variant \"\(point.name)\""
      refuseDecidedKeys(point.settings, in: "variant \"\(point.name)\"")
      variant.read(point.settings, name: place)
      do {
        draft.plan.variants.append(
          SweepPlan.Variant(
            name: point.name, settings: point.settings,
            configuration: try variant.finished(name: name)))
      } catch {
        // A problem of the base is one of every variant, but is reported once.
        reader.problems.append(contentsOf: error.problems)
      }
    }
  }

  /// Returns the reader of the base; nil with a problem if the file of the base cannot be read.
  private mutating func base() throws -> ConfigurationReader? {
    var base = ConfigurationReader(base: defaults)
    guard let path = draft.plan.base.string else {
      base.read(draft.plan.base, name: "\(name): base")
      return base
    }
    guard let data = try readFile(path) else {
      report("base: no configuration at \(path). Check the path.")
      return nil
    }
    do {
      draft.plan.base = try JSONValue(document: data, name: path)
    } catch {
      reader.problems.append(contentsOf: error.problems)
      return nil
    }
    base.read(draft.plan.base, name: path)
    return base
  }

  private mutating func refuseDecidedKeys(_ settings: JSONValue, in place: String) {
    for (key, decider) in SweepPlanReader.decidedKeys.sorted(by: { $0.key < $1.key })
    where settings.has(key) {
      report(
        "\(place) sets \(key), which must be the same for all variants. Set \(decider) instead.")
    }
  }

  private mutating func listedVariants() -> [(name: String, settings: JSONValue)] {
    guard isWithin(.variants, draft.variants.count) else { return [] }
    var variants: [(name: String, settings: JSONValue)] = []
    for (index, value) in draft.variants.enumerated() {
      let place = "variants[\(index)]"
      let allowed = "an object with a name and settings"
      guard
        let (variant, isValid) = element(
          value, of: DocumentKey.variant, place: place, allowed, into: VariantDraft()), isValid
      else { continue }
      guard let name = variant.name else {
        report("\(place) = \(value.text) is not allowed. Use \(allowed).")
        continue
      }
      variants.append((name: name, settings: variant.settings))
    }
    return variants
  }

  private mutating func gridVariants() -> [(name: String, settings: JSONValue)] {
    var values: [String: [JSONValue]] = [:]
    for (key, list) in draft.grid.sorted(by: { $0.key < $1.key }) {
      if let elements = list.array, !elements.isEmpty {
        values[key] = elements
      } else {
        report(
          "grid.\(key) = \(list.text) is not allowed. Use a list of values of a configuration key.")
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

  /// Returns the settings of every combination, with a name such as `batchSize=64, lambda=0.5` of the keys that differ.
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
      let differs = values[key, default: []].count > 1 || values.values.allSatisfy { $0.count == 1 }
      points = points.flatMap { point in
        values[key, default: []].map { value in
          (
            names: point.names + (differs ? ["\(name)=\(value.string ?? value.text)"] : []),
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
