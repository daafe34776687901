import Game2048
import NTupleNetwork

/// An evaluator that is written by hand, from features of the board.
///
/// The unused cells of a board smaller than 4 × 4 count as empty.
public protocol HandTunedEvaluator: Evaluator {
  /// The formula in one line, for the reference: `v` is a tile and `e` its exponent.
  static var formula: String { get }

  init()
}

extension HandTunedEvaluator {
  /// 0: rewards do not count.
  @inlinable public var rewardWeight: Double { 0 }

  /// A value below that of any board of tiles up to 131072.
  ///
  /// ``Smoothness`` has the lowest values: 24 adjacent pairs that differ by up to 131,070 each give
  /// a value above −3.2 million.
  @inlinable public var terminalValue: Double { -1e7 }
}

/// The name of a hand-tuned evaluator in PLAYER texts. To add one, add its case, and its line to `visit`.
public enum EvaluatorName: String, CaseIterable, Codable, Sendable {
  case emptyCells, monotonicity, smoothness, maxTileInCorner, maxTile, snakeLinear
  case snakeExponential, compositeA, compositeB, rowScore, cornerChain

  /// Calls `visitor` with the evaluator of this name as its concrete type, and returns the result.
  ///
  /// The function is inlinable and has a call for each evaluator, so the code of the visitor is
  /// specialised for each.
  @inlinable
  package func visit<Visitor: EvaluatorVisitor>(_ visitor: Visitor) -> Visitor.Result {
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
    case .cornerChain: visitor.visit(CornerChain())
    }
  }

  /// The evaluator of this name, for code in which speed does not matter.
  public var evaluator: any HandTunedEvaluator { visit(Erasing()) }

  /// The formula of the evaluator, in one line.
  public var formula: String { type(of: evaluator).formula }

  private struct Erasing: EvaluatorVisitor {
    func visit(_ evaluator: some HandTunedEvaluator) -> any HandTunedEvaluator { evaluator }
  }
}

/// Code that is written once for all evaluators and specialised for each.
@usableFromInline
package protocol EvaluatorVisitor {
  associatedtype Result
  func visit(_ evaluator: some HandTunedEvaluator) -> Result
}
