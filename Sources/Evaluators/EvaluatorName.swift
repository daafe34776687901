/// The name of a hand-tuned evaluator in PLAYER texts.
public struct EvaluatorName: RawRepresentable, CaseIterable, Hashable, Sendable {
  public let rawValue: String

  /// Creates the name; nil if no evaluator has it.
  public init?(rawValue: String) {
    guard EvaluatorName.allCases.contains(where: { $0.rawValue == rawValue }) else { return nil }
    self.rawValue = rawValue
  }

  private init(registered name: String) { rawValue = name }

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

  /// Calls `visitor` with the evaluator of this name, as its concrete type.
  ///
  /// The function is inlinable, so the visitor's code is specialised for each evaluator.
  @inlinable
  public func visit<Visitor: EvaluatorVisitor>(_ visitor: Visitor) -> Visitor.Result {
    var finder = Finder(name: rawValue, visitor: visitor)
    EvaluatorRegistry.visitAll(&finder)
    // Names exist for registered evaluators only.
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

  /// The evaluator's value in one line.
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

  /// The evaluator of this name, where speed does not matter.
  public var evaluator: any Evaluator { visit(Erasing()) }

  private struct Erasing: EvaluatorVisitor {
    func visit(_ evaluator: some Evaluator) -> any Evaluator { evaluator }
  }
}

/// Code that is written once for every evaluator and compiled for each.
public protocol EvaluatorVisitor {
  associatedtype Result
  func visit(_ evaluator: some Evaluator) -> Result
}
