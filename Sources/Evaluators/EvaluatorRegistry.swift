/// The hand-tuned evaluators and their names. To add an evaluator, add its line.
@usableFromInline
enum EvaluatorRegistry {
  /// Calls `visitor` with the type of every evaluator.
  ///
  /// The list consists of calls, so that each is specialised for its evaluator.
  @inlinable
  static func visitAll(_ visitor: inout some RegistryVisitor) {
    visitor.visit("emptyCells", EmptyCells.self)
    visitor.visit("monotonicity", Monotonicity.self)
    visitor.visit("smoothness", Smoothness.self)
    visitor.visit("maxTileInCorner", MaxTileInCorner.self)
    visitor.visit("maxTile", MaxTile.self)
    visitor.visit("snakeLinear", SnakeLinear.self)
    visitor.visit("snakeExponential", SnakeExponential.self)
    visitor.visit("compositeA", CompositeA.self)
    visitor.visit("compositeB", CompositeB.self)
    visitor.visit("rowScore", RowScore.self)
  }
}

/// Code that visits the registered evaluators.
@usableFromInline
protocol RegistryVisitor {
  mutating func visit<E: HandTunedEvaluator>(_ name: String, _ type: E.Type)
}
