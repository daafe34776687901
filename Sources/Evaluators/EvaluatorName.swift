/// The hand-tuned evaluators by the names that players, configs and the command line use.
///
/// To add one: a case here and its line in ``visit(_:)``.
public enum EvaluatorName: String, CaseIterable, Sendable {
  case emptyCells, monotonicity, smoothness, maxTileInCorner, maxTile
  case snakeLinear, snakeExponential, compositeA, compositeB, rowScore

  /// Calls `visitor` with the evaluator of this name, as the type that it is.
  ///
  /// It is inlinable, so that what the visitor makes of each evaluator is specialised for it.
  @inlinable
  public func visit<Visitor: EvaluatorVisitor>(_ visitor: Visitor) -> Visitor.Result {
    switch self {
    case .emptyCells: visitor.visit(EmptyCells())
    case .monotonicity: visitor.visit(Monotonicity())
    case .smoothness: visitor.visit(Smoothness())
    case .maxTileInCorner: visitor.visit(MaxTileInCorner())
    case .maxTile: visitor.visit(MaxTile())
    case .snakeLinear: visitor.visit(SnakeLinear())
    case .snakeExponential: visitor.visit(SnakeExponential())
    case .compositeA: visitor.visit(CompositeA())
    case .compositeB: visitor.visit(CompositeB())
    case .rowScore: visitor.visit(RowScore())
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
