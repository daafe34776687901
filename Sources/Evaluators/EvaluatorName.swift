/// The name of a registered hand-tuned evaluator, as in PLAYER texts.
public struct EvaluatorName: RawRepresentable, CaseIterable, Hashable, Sendable {
  /// The name as text.
  public let rawValue: String

  /// Creates a name, or returns nil if no evaluator has it.
  public init?(rawValue: String) {
    guard EvaluatorName.allCases.contains(where: { $0.rawValue == rawValue }) else { return nil }
    self.rawValue = rawValue
  }

  private init(registered name: String) { rawValue = name }

  /// The name of ``RowScore``.
  public static let rowScore = EvaluatorName(registered: "rowScore")

  /// All names, in the order of the registry.
  public static let allCases: [EvaluatorName] = {
    var collector = Collector()
    EvaluatorRegistry.visitAll(&collector)
    return collector.names.map { EvaluatorName(registered: $0) }
  }()

  private struct Collector: RegistryVisitor {
    var names: [String] = []
    mutating func visit(_ name: String, _ type: (some HandTunedEvaluator).Type) {
      names.append(name)
    }
  }

  /// Calls `visitor` with the evaluator of this name as its concrete type, and returns the result.
  ///
  /// The function is inlinable, so the code of the visitor is specialised for each evaluator.
  @inlinable
  package func visit<Visitor: EvaluatorVisitor>(_ visitor: Visitor) -> Visitor.Result {
    var finder = Finder(name: rawValue, visitor: visitor)
    EvaluatorRegistry.visitAll(&finder)
    // Every name belongs to a registered evaluator.
    return finder.result!
  }

  @usableFromInline
  struct Finder<Visitor: EvaluatorVisitor>: RegistryVisitor {
    @usableFromInline let name: String
    @usableFromInline let visitor: Visitor
    @usableFromInline var result: Visitor.Result?

    @inlinable
    init(name: String, visitor: Visitor) {
      self.name = name
      self.visitor = visitor
    }

    @inlinable
    mutating func visit<E: HandTunedEvaluator>(_ name: String, _ type: E.Type) {
      if name == self.name { result = visitor.visit(E()) }
    }
  }

  /// The formula of the evaluator, in one line.
  public var formula: String {
    var finder = FormulaFinder(name: rawValue)
    EvaluatorRegistry.visitAll(&finder)
    return finder.formula
  }

  private struct FormulaFinder: RegistryVisitor {
    let name: String
    var formula = ""
    mutating func visit(_ name: String, _ type: (some HandTunedEvaluator).Type) {
      if name == self.name { formula = type.formula }
    }
  }

  /// The evaluator of this name, for code in which speed does not matter.
  public var evaluator: any Evaluator { visit(Erasing()) }

  private struct Erasing: EvaluatorVisitor {
    func visit(_ evaluator: some Evaluator) -> any Evaluator { evaluator }
  }
}

/// Code that is written once for all evaluators and specialised for each.
@usableFromInline
package protocol EvaluatorVisitor {
  /// The result of a visit.
  associatedtype Result
  /// Handles one evaluator.
  func visit(_ evaluator: some Evaluator) -> Result
}
